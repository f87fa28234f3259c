import { read, readSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { createLineReader } from "../wire.ts";

/** Bytes that are read at a time, and characters of one line. */
const CHUNK = 2 ** 16;
const MAX_LINE = 2 ** 28;

export interface PipeOptions {
  /** Descriptor of a socket that blocks. */
  readonly fd: number;
  readonly onLine: (line: string) => void;
  /** True while something goes on beside this thread, which therefore must not block. */
  readonly isBusy: () => boolean;
  /** Called once the other side is gone. */
  readonly onEnd: () => void;
}

/** The host's end of its pipe to the main process. */
export interface Pipe {
  /** Sends a line with others of this turn. */
  send(line: string): void;
  /** Sends at once all that waits. */
  flush(): void;
  /** Begins to read. */
  serve(): void;
}

/**
 * Opens the pipe, from which this thread itself reads while it has nothing else to do: what wakes it is the line, and not the
 * event loop, whose rounds cost more than most handlers.
 */
export function openPipe({ fd, onLine, isBusy, onEnd }: PipeOptions): Pipe {
  const chunk = Buffer.allocUnsafe(CHUNK);
  const decoder = new StringDecoder("utf8");
  const readLines = createLineReader(MAX_LINE, onLine);
  let unsent = "";
  /** True while this thread is in `serve`, which sends by itself. */
  let isServing = false;
  return {
    send(line) {
      if (!isServing && unsent === "") setImmediate(flush);
      unsent += line;
    },
    flush,
    serve,
  };

  function flush(): void {
    if (unsent === "") return;
    const bytes = Buffer.from(unsent);
    unsent = "";
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    } catch {
      onEnd();
    }
  }

  function serve(): void {
    isServing = true;
    for (flush(); !isBusy(); flush()) hear(readNow());
    isServing = false;
    read(fd, chunk, 0, CHUNK, null, (error, length) => {
      hear(error === null ? length : 0);
      serve();
    });
  }

  function readNow(): number {
    try {
      return readSync(fd, chunk, 0, CHUNK, null);
    } catch {
      return 0;
    }
  }

  function hear(length: number): void {
    if (length === 0) onEnd();
    else readLines(decoder.write(chunk.subarray(0, length)));
  }
}
