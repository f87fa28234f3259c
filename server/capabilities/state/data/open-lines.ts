import { createReadStream } from "node:fs";
import { CairnError } from "../../../errors.ts";
import { MAX_VALUE_BYTES } from "../../../store/commit-plan.ts";
import { readLines } from "../../../text/lines.ts";

/** Bytes of a line: room for a value that is written with escapes. Stops a file without newlines from filling the memory. */
const MAX_LINE_BYTES = 2 * MAX_VALUE_BYTES;
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Reads the lines of an export. @throws BAD_REQUEST, with the line where there is one, for an unreadable file or too long a line */
export function openLines(path: string): AsyncGenerator<string> {
  return readLines(limitLines(path), /\n/);
}

/** Refusal of a file, naming the line. */
export function createWrong(path: string, line: number, why: string, cause?: unknown): CairnError {
  return new CairnError("BAD_REQUEST", `\`${path}\` cannot be imported: line ${line}: ${why}.`, { cause });
}

async function* limitLines(path: string): AsyncGenerator<Buffer> {
  let line = 1;
  let bytes = 0;
  const add = (more: number) => {
    bytes += more;
    if (bytes <= MAX_LINE_BYTES) return;
    throw createWrong(path, line, `it is longer than the ${MAX_LINE_BYTES} bytes that a line may have`);
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        add(end - start);
        [line, bytes, start] = [line + 1, 0, end + 1];
      }
      add(chunk.length - start);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof CairnError || !(cause instanceof Error) || !("code" in cause)) throw cause;
    throw new CairnError("BAD_REQUEST", `\`${path}\` cannot be read: ${String(cause.code)}.`, { cause });
  }
}
