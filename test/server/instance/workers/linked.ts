import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerWorker } from "../../../../server/instance/workers/answer-worker.ts";
import type { Announced, Hello } from "../../../../server/instance/workers/messages.ts";
import { type Link, openLink } from "../../../../server/instance/workers/open-link.ts";
import type { Store } from "../../../../server/store/store.ts";

export interface Linked {
  readonly link: Link;
  /** The primary's end of the pipe. */
  readonly socket: Socket;
  readonly announced: Announced[];
  readonly stop: () => void;
  /** Counts how often the worker heard that its primary is gone. */
  readonly gone: () => number;
}

export const HELLO: Hello = {
  self: { id: "worker-1", opening: "first", label: "worker 1", release: "1.0.0", startedAt: 5 },
  home: "worker-1",
  folder: "/data",
  lock: "/nowhere",
  origin: 7,
};

/** Opens a link to a store within this process. */
export async function openLinked(store: Store): Promise<Linked> {
  const [socket, far] = await openPipe();
  const announced: Announced[] = [];
  let gone = 0;
  const stop = answerWorker({
    socket,
    store,
    hello: HELLO,
    members: () => [HELLO.self],
    onAnnounced: (one) => void announced.push(one),
    onError(error) {
      throw error;
    },
  });
  const link = await openLink(far, () => void (gone += 1));
  return { link, socket, announced, stop, gone: () => gone };
}

async function openPipe(): Promise<[Socket, Socket]> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-link-"));
  const server = createServer().listen(join(folder, "pipe"));
  await once(server, "listening");
  const far = createConnection(join(folder, "pipe"));
  const [near] = (await once(server, "connection")) as [Socket];
  server.close();
  await rm(folder, { recursive: true });
  return [near, far];
}
