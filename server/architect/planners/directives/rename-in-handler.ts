/** How handlers begin: the type of their input, where it is written out, and the input, as a name or taken apart. */
const HEAD =
  /Handler<\{(?<type>[^{}]*)\}[^=]*?>\s*=\s*(?:async\s*)?\(\s*(?:(?<input>[A-Za-z_$][\w$]*)|\{(?<parts>[^{}]*)\})\s*[,)]/du;

/**
 * The code of a handler that calls a field of its input by another name. Undefined where it does more with its input than
 * to read fields by their names: what that leads to is nothing that can be told from the text.
 */
export function renameInHandler(code: string, old: string, name: string): string | undefined {
  const head = HEAD.exec(code);
  const spans = head?.indices?.groups;
  const type = spans?.["type"];
  if (head === null || type === undefined || new RegExp(String.raw`\b${name}\b`).test(head[0])) return undefined;
  const typed = head.groups?.["type"]?.replace(new RegExp(String.raw`\b${old}(?=\??\s*:)`), name) ?? "";
  const parts = spans?.["parts"];
  if (parts !== undefined) {
    const taken = head.groups?.["parts"] ?? "";
    if (taken.includes("...")) return undefined;
    const renamed = taken.replace(new RegExp(String.raw`\b${old}\b(?<local>\s*:)?`), (_, local?: string) =>
      local === undefined ? `${name}: ${old}` : `${name}:`,
    );
    return code.slice(0, type[0]) + typed + code.slice(type[1], parts[0]) + renamed + code.slice(parts[1]);
  }
  const input = head.groups?.["input"] ?? "";
  const end = spans?.["input"]?.[1] ?? 0;
  const body = code.slice(end);
  const isWhole = new RegExp(String.raw`(?<![\w$.])${input}(?!\??\.[A-Za-z_$]|[\w$])`).test(body);
  if (isWhole) return undefined;
  const read = body.replaceAll(new RegExp(String.raw`(?<![\w$.])(${input}\??\.)${old}(?![\w$])`, "g"), `$1${name}`);
  return code.slice(0, type[0]) + typed + code.slice(type[1], end) + read;
}
