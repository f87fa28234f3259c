import { createLines } from "../../../../../server/kernel/audit/verify/lines.ts";
import type { LogSource } from "../../../../../server/kernel/audit/verify/verify-log.ts";

/** An exported log, as the contents of its files. */
export interface MemoryLog {
  readonly tenant: string;
  readonly checkpoint: string;
  readonly checkpoints: Buffer;
  readonly entries: Buffer;
  readonly records: Buffer;
}

/** The log as it is verified, in chunks that end anywhere. */
export function toSource(log: MemoryLog): LogSource {
  return {
    tenant: log.tenant,
    checkpoint: log.checkpoint,
    checkpoints: createLines(chunksOf(log.checkpoints)),
    entries: createLines(chunksOf(log.entries)),
    records: createLines(chunksOf(log.records)),
  };
}

export function linesOf(bytes: Buffer): string[] {
  return bytes.toString().split("\n").slice(0, -1);
}

export function toBytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(""));
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}
