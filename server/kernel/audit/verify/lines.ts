/** Longer lines are no entry and no record, and would only fill the memory. */
const MAX_LINE = 64 * 1024 * 1024;
const NEWLINE = 10;

/** Lines of a stream, with no promise for those that have arrived already. */
export interface Lines {
  /** The next line without its newline; nothing when it has not arrived yet. */
  next(): Buffer | undefined;
  /** Waits for more; false at the end. */
  more(): Promise<boolean>;
  /** Returns the number of bytes behind the last newline. */
  rest(): number;
}

export function createLines(chunks: AsyncIterable<Uint8Array>): Lines {
  const iterator = chunks[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);
  let at = 0;
  return Object.freeze({
    next() {
      const end = buffer.indexOf(NEWLINE, at);
      if (end < 0) return undefined;
      const line = buffer.subarray(at, end);
      at = end + 1;
      return line;
    },
    async more() {
      if (buffer.length - at > MAX_LINE) return false;
      const { done, value } = await iterator.next();
      if (done === true) return false;
      buffer = at === buffer.length ? Buffer.from(value) : Buffer.concat([buffer.subarray(at), value]);
      at = 0;
      return true;
    },
    rest: () => buffer.length - at,
  });
}

/** The next line, waited for; nothing at the end. */
export async function takeLine(lines: Lines): Promise<Buffer | undefined> {
  for (;;) {
    const line = lines.next();
    if (line !== undefined || !(await lines.more())) return line;
  }
}
