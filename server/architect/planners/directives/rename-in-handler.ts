/** How handlers begin: the type of their input, written out or by its name, and the input, as a name or taken apart. */
const HEAD =
  /Handler<(?:\{(?<type>[^{}]*)\}|(?<alias>[A-Z]\w*))[^=]*?>\s*=\s*(?:async\s*)?\(\s*(?:(?<input>[A-Za-z_$][\w$]*)|\{(?<parts>[^{}]*)\})\s*[,)]/du;

/** A part of a code, by where it is. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Another text for a part of a code. */
interface Edit extends Span {
  readonly text: string;
}

/**
 * The code of a handler that calls a field of its input by another name. Undefined where it does more with its input than
 * to read fields by their names: what that leads to is nothing that can be told from the text.
 */
export function renameInHandler(code: string, old: string, name: string): string | undefined {
  const head = HEAD.exec(code);
  const groups = head?.indices?.groups;
  const type = findType(code, head?.groups?.["alias"], groups?.["type"]);
  if (head === null || type === undefined) return undefined;
  const own = code.slice(type.start, type.end);
  if ([own, head[0]].some((text) => new RegExp(String.raw`\b${name}\b`).test(text))) return undefined;
  const typed: Edit = { ...type, text: own.replace(new RegExp(String.raw`\b${old}(?=\??\s*:)`), name) };
  const parts = groups?.["parts"];
  if (parts !== undefined) {
    const taken = head.groups?.["parts"] ?? "";
    return taken.includes("...")
      ? undefined
      : applyEdits(code, [typed, { start: parts[0], end: parts[1], text: renameTaken(taken, old, name) }]);
  }
  const input = head.groups?.["input"] ?? "";
  const start = groups?.["input"]?.[1] ?? 0;
  const body = renameInBody(code.slice(start), input, old, name);
  return body === undefined ? undefined : applyEdits(code, [typed, { start, end: code.length, text: body }]);
}

/** Where the fields of the type of an input are written: in the head of its handler, or in the one declaration of that name. */
function findType(
  code: string,
  alias: string | undefined,
  inline: readonly [number, number] | undefined,
): Span | undefined {
  if (inline !== undefined) return { start: inline[0], end: inline[1] };
  if (alias === undefined) return undefined;
  const declaration = new RegExp(String.raw`\b(?:interface ${alias}|type ${alias} =) \{(?<type>[^{}]*)\}`, "dg");
  const [only, ...others] = code.matchAll(declaration);
  const span = only?.indices?.groups?.["type"];
  return span === undefined || others.length > 0 ? undefined : { start: span[0], end: span[1] };
}

/** Renames what a function reads of its input; undefined where it hands all of it on. */
function renameInBody(body: string, input: string, old: string, name: string): string | undefined {
  const isWhole = new RegExp(String.raw`(?<![\w$.])${input}(?!\??\.[A-Za-z_$]|[\w$])`).test(body);
  if (isWhole) return undefined;
  return body.replaceAll(new RegExp(String.raw`(?<![\w$.])(${input}\??\.)${old}(?![\w$])`, "g"), `$1${name}`);
}

/** Takes a field apart by its other name, into the variable that it was in. */
function renameTaken(taken: string, old: string, name: string): string {
  return taken.replace(new RegExp(String.raw`\b${old}\b(?<local>\s*:)?`), (_, local?: string) =>
    local === undefined ? `${name}: ${old}` : `${name}:`,
  );
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, text: fresh }) => text.slice(0, start) + fresh + text.slice(end), code);
}
