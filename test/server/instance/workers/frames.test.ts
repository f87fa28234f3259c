import fc from "fast-check";
import { PassThrough } from "node:stream";
import type { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { createSender, type Frame, onFrames } from "../../../../server/instance/workers/frames.ts";

/** What a sender writes for these frames. */
async function write(frames: readonly Frame[]): Promise<Buffer> {
  const pipe = new PassThrough();
  const send = createSender(pipe as unknown as Socket);
  for (const frame of frames) send(frame);
  await new Promise((resolve) => setImmediate(resolve));
  return Buffer.from((pipe.read() as Buffer | null) ?? []);
}

function read(pieces: readonly Buffer[]): { readonly frames: Frame[]; readonly destroy: ReturnType<typeof vi.fn> } {
  const pipe = new PassThrough();
  const frames: Frame[] = [];
  const destroy = vi.fn();
  onFrames(Object.assign(pipe, { destroy }) as unknown as Socket, (frame) => void frames.push(frame));
  for (const piece of pieces) pipe.emit("data", piece);
  return { frames, destroy };
}

test("frames arrive as they were sent, however their bytes are cut", async () => {
  const frame = fc.record({ head: fc.jsonValue(), texts: fc.array(fc.string({ unit: "grapheme" }), { maxLength: 3 }) });
  const law = fc.asyncProperty(fc.array(frame, { maxLength: 5 }), fc.array(fc.nat(200)), async (frames, cuts) => {
    const bytes = await write(frames);
    const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
    const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
    expect(read(pieces).frames).toEqual(JSON.parse(JSON.stringify(frames)));
  });
  await fc.assert(law);
});

test("a frame that claims more than a frame may have ends the connection", () => {
  const { frames, destroy } = read([Buffer.from([0xff, 0xff, 0xff, 0xff, 1])]);
  expect(frames).toEqual([]);
  expect(destroy).toHaveBeenCalled();
});
