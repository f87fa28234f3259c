const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const DOMAIN = String.raw`${LABEL}(?:\.${LABEL})+`;
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const URI = String.raw`(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*(?:[A-Za-z0-9\-_~/#@$&*+=]|%[0-9A-Fa-f]{2})`;

/** Patterns of formats, without the text that a sentence puts around them. */
const FORMATS: Readonly<Record<string, string>> = {
  email: String.raw`[A-Za-z0-9_%+-]+(?:\.[A-Za-z0-9_%+-]+)*@${DOMAIN}`,
  uri: String.raw`[a-z][a-z0-9+.-]{1,20}:\/\/${URI}`,
  url: String.raw`https?:\/\/${URI}`,
  uuid: "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
  ipv4: String.raw`(?:${OCTET}\.){3}${OCTET}`,
  hostname: DOMAIN,
};
const EDGE = String.raw`[\p{L}\p{N}_@.-]`;

/** The first text in `rest` that has the format; `undefined` also for formats that are not known. */
export function findFormat(rest: string, format: string): { readonly start: number; readonly end: number } | undefined {
  const form = FORMATS[format];
  if (form === undefined) return undefined;
  const match = new RegExp(String.raw`(?<!${EDGE})(?:${form})(?![\p{L}\p{N}_@-])`, "u").exec(rest);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

/** Checks that all of `value` has the format; the server checks unknown formats. */
export function hasFormat(value: string, format: unknown): boolean {
  const form = typeof format === "string" ? FORMATS[format] : undefined;
  return form === undefined || new RegExp(`^(?:${form})$`, "u").test(value);
}
