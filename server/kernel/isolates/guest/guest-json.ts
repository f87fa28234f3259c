/** The JSON of `value`, which the handler gave as `what`. */
export function toJson(value: unknown, what: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new TypeError(`${what} cannot be written as JSON: it has a cycle, a BigInt or a \`toJSON\` that throws.`, {
      cause: error,
    });
  }
  if (text === undefined) throw new TypeError(`${what} cannot be written as JSON: it is ${typeof value}.`);
  return text;
}

/** A JSON object of the arguments of `ctx.<method>`; an argument that is undefined is left out unless it is required. */
export function toArguments(method: string, required: Record<string, unknown>, optional: object = {}): string {
  let text = "";
  const add = (name: string, value: unknown) => {
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${toJson(value, `\`${name}\` of \`ctx.${method}\``)}`;
  };
  const names = Object.keys(required);
  for (let at = 0; at < names.length; at += 1) add(`${names[at]}`, required[`${names[at]}`]);
  const more = Object.entries(optional);
  for (let at = 0; at < more.length; at += 1) if (more[at]?.[1] !== undefined) add(`${more[at]?.[0]}`, more[at]?.[1]);
  return `{${text}}`;
}

/** Checks that `text` takes more than `limit` bytes in UTF-8. */
export function isLonger(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Either half of a surrogate pair stands for two of its four bytes; JSON text has no lone halves.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes > limit;
}

export function deepFreeze<T>(value: T): T {
  if ((typeof value === "object" && value !== null) || typeof value === "function") {
    Object.freeze(value);
    const members = Object.values(value);
    for (let at = 0; at < members.length; at += 1) deepFreeze(members[at]);
  }
  return value;
}

/** @throws TypeError naming what must be of that type. */
export function requireType(value: unknown, type: "string" | "number", what: string): void {
  if (typeof value !== type) throw new TypeError(`\`${what}\` must be a ${type}, not ${typeof value}.`);
}
