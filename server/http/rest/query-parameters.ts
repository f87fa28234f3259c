import { CairnError } from "../../errors.ts";

/** Rejects with BAD_REQUEST, naming the parameter, unless each one is known and given once. */
export function assertParameters(search: URLSearchParams, known: readonly string[]): void {
  for (const name of search.keys()) {
    if (!known.includes(name)) throw toWrongParameter(name, `is not known; there are ${known.join(", ")}`);
    if (search.getAll(name).length > 1) throw toWrongParameter(name, "is given more than once");
  }
}

/** Characters of a text to search for. */
const TEXT_LENGTH = 200;

/** Reads the texts of a search, those that are given; `others` are parameters that are read elsewhere. */
export function readTextParameters<Name extends string>(
  search: URLSearchParams,
  names: readonly Name[],
  others: readonly string[],
): { readonly [_ in Name]?: string } {
  assertParameters(search, [...names, ...others]);
  const texts: { [_ in Name]?: string } = {};
  for (const name of names) {
    const text = search.get(name);
    if (text === null) continue;
    if (text === "" || text.length > TEXT_LENGTH) {
      throw toWrongParameter(name, `must have 1 to ${TEXT_LENGTH} characters`);
    }
    texts[name] = text;
  }
  return texts;
}

/** Reads a text that must be given; see `readTextParameters` for its form. */
export function readRequiredText(search: URLSearchParams, name: string): string {
  const text = search.get(name);
  if (text === null) throw toWrongParameter(name, "is missing");
  return text;
}

export function readIntegerParameter(
  search: URLSearchParams,
  name: string,
  fallback: number,
  [least, most]: readonly [number, number],
): number {
  const text = search.get(name);
  if (text === null) return fallback;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw toWrongParameter(name, `must be a whole number from ${least} to ${most}`);
}

export function readFlagParameter(search: URLSearchParams, name: string): boolean {
  const text = search.get(name) ?? "false";
  if (text === "true" || text === "false") return text === "true";
  throw toWrongParameter(name, "must be true or false");
}

/** Reads a time in milliseconds since 1970; undefined where none is given. */
export function readTimeParameter(search: URLSearchParams, name: string): number | undefined {
  // In a query a plus sign that nobody encoded arrives as a space.
  const text = search.get(name)?.replace(" ", "+");
  if (text === undefined) return undefined;
  const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;
  const time = Date.parse(text);
  if (rfc3339.test(text) && !Number.isNaN(time)) return time;
  throw toWrongParameter(name, "must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z");
}

/** Name of the parameter that continues a list behind an earlier page. */
export const CURSOR = "cursor";

/** Hides a position in base64url: clients that took it apart would break when positions change. */
export function toCursor(position: string): string {
  return Buffer.from(position).toString("base64url");
}

/** Reads the position behind which a page begins, which must look like `form`; undefined for the first page. */
export function readCursor(search: URLSearchParams, form: RegExp): string | undefined {
  const text = search.get(CURSOR);
  if (text === null) return undefined;
  const position = Buffer.from(text, "base64url").toString();
  if (form.test(position) && toCursor(position) === text) return position;
  throw toWrongParameter(CURSOR, "must be the `next` of an earlier page");
}

/** Refuses a parameter of a query; `how` says what would be right. */
export function toWrongParameter(parameter: string, how: string): CairnError {
  return new CairnError("BAD_REQUEST", `The query parameter \`${parameter}\` ${how}.`, { details: { parameter } });
}
