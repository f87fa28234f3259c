import type { Socket } from "node:net";
import { CairnError } from "../../errors.ts";

/** A message between a primary and a worker: JSON, and texts that are not written into it, as that would escape each. */
export interface Frame {
  readonly head: unknown;
  readonly texts: readonly string[];
}

/** Bytes of a number: the length of what follows, of the head, and of each text. */
const NUMBER_BYTES = 4;
/** Bytes of the lengths of a frame and of its head, and of the count of its texts. */
const FIXED_BYTES = 3 * NUMBER_BYTES;
/** Room for the largest commit there is, and for the largest answer. */
const MAX_FRAME_BYTES = 96 * 1024 * 1024;

/** Writes a frame: three numbers, the lengths of the texts, the head, and the texts. @throws BAD_REQUEST for one that nobody takes */
function toBytes({ head, texts }: Frame): Buffer {
  const json = JSON.stringify(head);
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const headBytes = Buffer.byteLength(json);
  const size = FIXED_BYTES + NUMBER_BYTES * lengths.length + headBytes + lengths.reduce((sum, one) => sum + one, 0);
  if (size > MAX_FRAME_BYTES) {
    throw new CairnError(
      "BAD_REQUEST",
      `The message takes ${size} bytes, more than the ${MAX_FRAME_BYTES} that it may.`,
    );
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.writeUInt32LE(size, 0);
  at = bytes.writeUInt32LE(headBytes, at);
  at = bytes.writeUInt32LE(lengths.length, at);
  for (const length of lengths) at = bytes.writeUInt32LE(length, at);
  at += bytes.write(json, at);
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}

/** Reads a whole frame. */
function readFrame(bytes: Buffer): Frame {
  const headBytes = bytes.readUInt32LE(NUMBER_BYTES);
  const count = bytes.readUInt32LE(2 * NUMBER_BYTES);
  let at = FIXED_BYTES + NUMBER_BYTES * count;
  const head: unknown = JSON.parse(bytes.toString("utf8", at, (at += headBytes)));
  const texts = Array.from({ length: count }, (_, index) => {
    const length = bytes.readUInt32LE(FIXED_BYTES + NUMBER_BYTES * index);
    return bytes.toString("utf8", at, (at += length));
  });
  return { head, texts };
}

/** Calls `take` with each frame that arrives; one longer than MAX_FRAME_BYTES ends the connection. */
export function onFrames(socket: Socket, take: (frame: Frame) => void): void {
  let parts: Buffer[] = [];
  let size = 0;
  socket.on("data", (chunk: Buffer) => {
    parts.push(chunk);
    size += chunk.length;
    for (let wanted = wantedOf(parts, size); ; wanted = wantedOf(parts, size)) {
      if (wanted > MAX_FRAME_BYTES) return void socket.destroy();
      if (size < wanted) return;
      const all = parts.length === 1 ? (parts[0] ?? chunk) : Buffer.concat(parts);
      const rest = all.subarray(wanted);
      parts = rest.length === 0 ? [] : [rest];
      size = rest.length;
      take(readFrame(all.subarray(0, wanted)));
    }
  });
}

/** Bytes of the frame that has begun to arrive, as far as that is known. */
function wantedOf(parts: Buffer[], size: number): number {
  if (size < NUMBER_BYTES) return NUMBER_BYTES;
  const [first] = parts;
  if (first !== undefined && first.length >= NUMBER_BYTES) return Math.max(first.readUInt32LE(0), FIXED_BYTES);
  parts.splice(0, parts.length, Buffer.concat(parts));
  return Math.max(parts[0]?.readUInt32LE(0) ?? 0, FIXED_BYTES);
}

/** Sends frames; those of one turn of the event loop leave in one write. */
export function createSender(socket: Socket): (frame: Frame) => void {
  let isCorked = false;
  return (frame) => {
    if (socket.destroyed) return;
    const bytes = toBytes(frame);
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      setImmediate(() => {
        isCorked = false;
        socket.uncork();
      });
    }
    socket.write(bytes);
  };
}
