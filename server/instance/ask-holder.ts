import { CairnError } from "../errors.ts";
import { describeHolder, findHolder, type Holder } from "./holder.ts";
import { connectLocally } from "./local-socket.ts";
import {
  type Hello,
  HELLO_MS,
  MAX_LINE_BYTES,
  onLines,
  type OperationName,
  type Operations,
  PROTOCOL,
  readAnswer,
  type Request,
  send,
  toError,
} from "./messages.ts";

/** A connection to the process that has a data folder. */
export interface Peer {
  readonly holder: Holder;
  /** Rejects with the error that the holder met; UNAVAILABLE when it ended before it answered. */
  ask<Name extends OperationName>(name: Name, details: Operations[Name]["ask"]): Promise<Operations[Name]["answer"]>;
  close(): void;
}

/** The number of the answer to the first line. */
const HELLO_ID = 0;

/** Connects to the process that has the folder; `undefined` when none answers there, perhaps not yet. */
export async function findPeer(folder: string): Promise<Peer | undefined> {
  const record = await findHolder(folder);
  const socket = record === undefined ? undefined : await connectLocally(folder);
  if (record === undefined || socket === undefined) return undefined;
  const { secret, ...holder } = record;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const gone = new CairnError("UNAVAILABLE", `${describeHolder(holder)} ended before it answered; run this again.`);

  async function post(id: number, message: Hello | Request): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    if (socket === undefined || socket.destroyed) answer.reject(gone);
    else {
      send(socket, message);
      waiting.set(id, answer);
    }
    return answer.promise;
  }

  socket.setTimeout(HELLO_MS, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(gone);
  });
  onLines(
    socket,
    () => MAX_LINE_BYTES,
    (line) => {
      const answer = readAnswer(line);
      if (answer === undefined) return void socket.destroy();
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("error" in answer) asked?.reject(toError(answer.error));
      else asked?.resolve(answer.ok);
    },
  );
  try {
    await post(HELLO_ID, { protocol: PROTOCOL, secret });
  } catch (error) {
    socket.destroy();
    // The record was that of a process which is gone, and the next one has not written its own yet.
    if (error === gone || (error instanceof CairnError && error.name === "UNAUTHENTICATED")) return undefined;
    throw error;
  }
  socket.setTimeout(0);
  let last = HELLO_ID;
  return Object.freeze<Peer>({
    holder,
    async ask(name, details) {
      const id = ++last;
      // A process of this account that speaks this version of the protocol answers what was asked.
      return (await post(id, { id, do: name, with: details } as Request)) as never;
    },
    close: () => void socket.destroy(),
  });
}
