/** A number of JSON or of a field, in its parts. */
const NUMBER = /^(-?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Texts of JSON, in which digits are no numbers, and its numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Says whether a number that is written so is sent as it is written: browsers know only the doubles of IEEE 754. */
export function isExact(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && toDecimal(text) === toDecimal(String(number));
}

/** Finds the first number of a JSON text that a browser would change; undefined: there is none. */
export function findInexact(json: string): string | undefined {
  return [...json.matchAll(TOKENS)].map(([token]) => token).find((token) => !token.startsWith('"') && !isExact(token));
}

/** Writes a number as sign, digits and exponent, in the one way that all of its spellings share. */
function toDecimal(text: string): string {
  const [, sign = "", whole = "", part = "", exponent = "0"] = NUMBER.exec(text.trim()) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign}${short}e${Number(exponent) - part.length + digits.length - short.length}`;
}
