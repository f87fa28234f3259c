const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const WORDS = new Set(
  "arguments as async await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);
const MAX_LINE = 90;

/** Makes the name of a variable from that of a member; names that mean something else get a `_` at their end. */
export function toLocal(name: string, taken: ReadonlySet<string>): string {
  const plain = IDENTIFIER.test(name) ? name : `_${name.replaceAll(/[^A-Za-z0-9_$]+/g, "_")}`;
  return WORDS.has(plain) || taken.has(plain) ? `${plain}_` : plain;
}

/** Writes the name of a member: in quotes unless it is an identifier. */
export function toMemberName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/** Writes an object of members, on lines of their own where one line is too short. */
export function writeObject(members: readonly string[]): string {
  const line = `{ ${members.join(", ")} }`;
  return line.length <= MAX_LINE ? line : `{\n      ${members.join(",\n      ")},\n    }`;
}
