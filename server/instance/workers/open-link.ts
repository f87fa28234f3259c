import type { Socket } from "node:net";
import { CairnError } from "../../errors.ts";
import { assertJson } from "../../json/canonical-json.ts";
import { encodeKey } from "../../store/key-codec.ts";
import type { Member } from "../../store/members.ts";
import type { Commit, CommitResult, Store } from "../../store/store.ts";
import { toError } from "../messages.ts";
import { createRemoteStore } from "../remote-store.ts";
import { createSender, type Frame, onFrames } from "./frames.ts";
import type { Announced, Hello, LinkCommit, ToPrimary, ToWorker } from "./messages.ts";

/** The way of a worker to its primary, which has the store and knows the other workers. */
export interface Link {
  readonly hello: Hello;
  /** Closing it waits for what is in flight, and ends the link. */
  readonly store: Store;
  /** Lists the workers as they are at this moment. */
  members(): Promise<readonly Member[]>;
  announce(announced: Announced): void;
  /** Resolves when the primary asks this worker to end. */
  readonly stopping: Promise<void>;
}

/** A request of a worker without its number. */
type Asked = ToPrimary extends infer One ? (One extends { id: number } ? Omit<One, "id"> : never) : never;
type Waiting = PromiseWithResolvers<unknown>;

/** Opens the link over a pipe that nobody else has. `onGone` hears that the primary has ended: then nothing can be written any more. */
export async function openLink(socket: Socket, onGone: () => void): Promise<Link> {
  const send = createSender(socket);
  const stop = Promise.withResolvers<void>();
  const { watch, hint } = createHints(send);
  /** Requests by their numbers. No map: what passes through one by the thousand outlives every small collection of garbage. */
  const slots: (Waiting | undefined)[] = [];
  const free: number[] = [];
  let isClosed = false;

  async function ask(asked: Asked, texts: Frame["texts"] = []): Promise<unknown> {
    if (isClosed) throw new CairnError("UNAVAILABLE", "The store is closed.");
    if (socket.destroyed) throw createGone();
    const id = free.pop() ?? slots.length;
    send({ head: { id, ...asked }, texts });
    const waiting = Promise.withResolvers<unknown>();
    slots[id] = waiting;
    return waiting.promise;
  }

  function take(message: ToWorker): void {
    if ("stop" in message) return stop.resolve();
    if ("hint" in message) return hint(message.hint);
    const waiting = slots[message.id];
    slots[message.id] = undefined;
    free.push(message.id);
    if ("error" in message) waiting?.reject(toError(message.error));
    else waiting?.resolve(message.ok);
  }

  async function close(): Promise<void> {
    isClosed = true;
    await Promise.allSettled(slots.map((waiting) => waiting?.promise));
    socket.destroy();
  }

  onFrames(socket, ({ head }) => take(head as ToWorker));
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    const gone = createGone();
    for (const waiting of slots) waiting?.reject(gone);
    if (!isClosed) onGone();
  });
  const { admin, ...remote } = createRemoteStore({
    ask: async (name, details) => (await ask({ do: name, with: details } as Asked)) as never,
    close: () => undefined,
  });
  let closing: Promise<void> | undefined;
  return Object.freeze<Link>({
    hello: (await ask({ do: "hello" })) as Hello,
    store: Object.freeze<Store>({
      ...remote,
      async commit(commit) {
        const { head, texts } = toLinkCommit(commit);
        return (await ask({ do: "commit", with: head }, texts)) as CommitResult;
      },
      watch,
      admin: Object.freeze({ ...admin, close: () => (closing ??= close()) }),
    }),
    members: async () => (await ask({ do: "members" })) as readonly Member[],
    announce: (announced) => send({ head: { do: "announce", with: announced }, texts: [] }),
    stopping: stop.promise,
  });
}

/** Creates the watches of this worker: the primary gives each its hints, whoever has written. */
function createHints(send: (frame: Frame) => void) {
  const watches = new Map<number, () => void>();
  const say = (head: ToPrimary) => send({ head, texts: [] });
  let last = 0;
  return {
    hint: (number: number) => watches.get(number)?.(),
    watch(prefix: Parameters<Store["watch"]>[0], notify: () => void): () => void {
      encodeKey(prefix);
      const number = ++last;
      watches.set(number, notify);
      say({ do: "watch", watch: number, with: prefix });
      return () => {
        if (watches.delete(number)) say({ do: "unwatch", watch: number });
      };
    },
  };
}

/** Writes a commit at once: whoever made it may change what it was made of. What JSON would drop is refused, as the store would. */
function toLinkCommit({ set = [], add, ...commit }: Commit): {
  readonly head: LinkCommit;
  readonly texts: readonly string[];
} {
  const texts: string[] = [];
  for (const { entry } of commit.append ?? []) assertJson(entry);
  const written = set.map((write) => {
    if ("value" in write) {
      assertJson(write.value);
      return write;
    }
    const { json, ...rest } = write;
    texts.push(json);
    return rest;
  });
  // JSON has no Infinity, which stands for no bound.
  const added = add?.map(({ min, max, ...one }) => ({
    ...one,
    ...(Number.isFinite(min) && { min: Number(min) }),
    ...(Number.isFinite(max) && { max: Number(max) }),
  }));
  return { head: { ...commit, set: written, ...(added && { add: added }) }, texts };
}

function createGone(): CairnError {
  return new CairnError("UNAVAILABLE", "The process that has the store has ended.");
}
