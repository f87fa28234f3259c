/**
 * Finds a number in a well-formed JSON text that a double cannot hold as it is written, such as 9007199254740993: reading it
 * would silently make it another one.
 */
export function findInexactNumber(text: string): string | undefined {
  const tokens = /"|-?\d[\d.eE+-]*/g;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    // One expression for whole strings would need a deep stack for long ones.
    if (token === '"') tokens.lastIndex = findEnd(text, tokens.lastIndex);
    else if (!Number.isFinite(Number(token)) || toDecimal(token) !== toDecimal(String(Number(token)))) return token;
  }
  return undefined;
}

/** Finds the place behind the quotation mark that ends a string. */
function findEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === "\\") before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Writes a decimal number in one form: its digits without zeros at either end, and the power of ten that they are of. */
function toDecimal(text: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  return kept === "" ? "0" : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
