import type { Readable } from "node:stream";

export interface Output {
  /** Kept output, with a note at its end when it was cut. */
  text(): string;
  readonly truncated: boolean;
}

/** Keeps the beginning of a stream, up to `limit` bytes, and reads on: a program that nobody reads from would stand still. */
export function keepOutput(stream: Readable, limit: number): Output {
  const chunks: Buffer[] = [];
  let [kept, all] = [0, 0];
  stream.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, limit - kept);
    if (part.length > 0) chunks.push(part);
    kept += part.length;
    all += chunk.length;
  });
  // How the process ended says more.
  stream.on("error", () => undefined);
  return {
    get truncated() {
      return all > kept;
    },
    text: () => {
      const text = Buffer.concat(chunks).toString("utf8");
      // A character that was cut in the middle is left out.
      return all > kept ? `${text.replace(/\u{FFFD}+$/u, "")}\n[cut: ${kept} of ${all} bytes]\n` : text;
    },
  };
}
