/** The lines of a message but for what its author quotes: fenced blocks, and lines that begin with `>`. */
export function toOwnLines(message: string): readonly string[] {
  const own: string[] = [];
  let fence: string | undefined;
  for (const line of message.split(/\r\n|[\n\r\u0085\u2028\u2029]/)) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (!/^\s*>/.test(line)) own.push(line);
  }
  return own;
}
