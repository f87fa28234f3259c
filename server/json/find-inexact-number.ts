/**
 * Finds a number in a well-formed JSON text that a double cannot hold as it is written, such as 9007199254740993: reading it
 * would silently make it another one.
 */
export function findInexactNumber(text: string): string | undefined {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    if (token.startsWith('"')) continue;
    const value = Number(token);
    if (!Number.isFinite(value) || toDecimal(token) !== toDecimal(String(value))) return token;
  }
  return undefined;
}

/** Writes a decimal number in one form: its digits without zeros at either end, and the power of ten that they are of. */
function toDecimal(text: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  return kept === "" ? "0" : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
