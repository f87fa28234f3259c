import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

/**
 * Sends pieces one after the other, each in a packet of its own as far as that can be had, and gives all that comes back until
 * the other side ends; times are left out. A last piece `end` ends this side instead.
 */
export async function readAll(url: string, pieces: readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve());
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  for (const piece of pieces) {
    if (piece === "end") socket.end();
    else if (!socket.destroyed && socket.writable) socket.write(piece);
    await turn();
    await turn();
  }
  await closed;
  return Buffer.concat(chunks)
    .toString("latin1")
    .replaceAll(/^Date: .*$/gm, "Date");
}
