import { hash, timingSafeEqual } from "node:crypto";
import { access, constants, stat } from "node:fs/promises";
import type { Socket } from "node:net";
import { CairnError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import {
  createRequestReader,
  HELLO_MS,
  MAX_HELLO_BYTES,
  MAX_LINE_BYTES,
  onLines,
  type OperationName,
  type Operations,
  PROTOCOL,
  readHello,
  type Request,
  send,
} from "./messages.ts";

export interface AnswerOptions {
  readonly store: Store;
  readonly secret: string;
  /** Hears of what failed in a way that nobody foresaw. */
  readonly onError: (error: unknown) => void;
}

/** Takes connections, and waits until what they asked for is done. */
export interface Answerer {
  take(socket: Socket): void;
  settled(): Promise<void>;
}

/** Requests of one connection that are under way; further ones are read when some are done. */
const MAX_UNDER_WAY = 64;
const PAGE_ITEMS = 512;
const PAGE_BYTES = 1024 * 1024;

/** Answers what others of this account ask of the store. */
export function createAnswerer({ store, secret, onError }: AnswerOptions): Answerer {
  const readRequest = createRequestReader();
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<void>>();
  let isClosing = false;

  async function answer(socket: Socket, line: string): Promise<void> {
    let id = 0;
    try {
      const request = readRequest(line);
      id = request.id;
      send(socket, { id, ok: await carryOut(store, request) });
    } catch (error) {
      if (!(error instanceof CairnError)) onError(error);
      send(socket, { id, error: toWireError(error) });
    }
  }

  function take(socket: Socket): void {
    let isKnown = false;
    let count = 0;
    sockets.add(socket);
    socket.setTimeout(HELLO_MS, () => socket.destroy());
    // A command that ends in the middle is no failure here.
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    onLines(
      socket,
      () => (isKnown ? MAX_LINE_BYTES : MAX_HELLO_BYTES),
      (line) => {
        if (isClosing) return;
        if (!isKnown) {
          isKnown = greet(socket, line, secret);
          return;
        }
        count += 1;
        if (count >= MAX_UNDER_WAY) socket.pause();
        const work = answer(socket, line).finally(() => {
          underWay.delete(work);
          count -= 1;
          if (count < MAX_UNDER_WAY) socket.resume();
        });
        underWay.add(work);
      },
    );
  }

  return Object.freeze({
    take,
    async settled() {
      isClosing = true;
      await Promise.all(underWay);
      for (const socket of sockets) socket.destroySoon();
    },
  });
}

/** Checks that the first line of a connection brings the secret, which only readers of the folder know. */
function greet(socket: Socket, line: string, secret: string): boolean {
  try {
    const hello = readHello(line);
    if (!isSame(hello.secret, secret)) throw new CairnError("UNAUTHENTICATED", "The secret is not this process's.");
    if (hello.protocol !== PROTOCOL) {
      const message = `This process speaks version ${PROTOCOL} of the local protocol, not ${hello.protocol}; use the same release of Cairn.`;
      throw new CairnError("UNAVAILABLE", message);
    }
    socket.setTimeout(0);
    send(socket, { id: 0, ok: null });
    return true;
  } catch (error) {
    send(socket, { id: 0, error: toWireError(error) });
    socket.destroySoon();
    return false;
  }
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}

/** Does what was asked of a store. */
export async function carryOut(store: Store, request: Request): Promise<Operations[OperationName]["answer"]> {
  switch (request.do) {
    case "getMany":
      return (await store.getMany(request.with.keys)).map((entry) => entry ?? null);
    case "scan":
      return readPage(request.with.limit, (limit) => store.scan({ ...request.with, limit }));
    case "commit":
      return store.commit(request.with.commit);
    case "claim":
      return store.claim(request.with);
    case "readLog": {
      const { log, from, limit: wanted } = request.with;
      const { entries, more } = await readPage(wanted, (limit) => store.readLog(log, { from, limit }));
      const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
      return { entries: entries.map((entry) => ({ ...entry, bytes: toText(entry.bytes) })), more };
    }
    case "backup":
      await assertSeen(request.with);
      await store.admin.backup(request.with.directory);
      return null;
    case "check":
      return store.admin.check();
  }
}

/** As many as an answer holds; `more` when there may be others behind them. */
async function readPage<Item extends { readonly value: unknown } | { readonly bytes: Uint8Array }>(
  limit = Infinity,
  read: (limit: number) => AsyncIterable<Item>,
): Promise<{ entries: readonly Item[]; more: boolean }> {
  const entries: Item[] = [];
  let bytes = 0;
  // A limit that is wrong is left to the store to refuse.
  const wanted = limit > PAGE_ITEMS ? PAGE_ITEMS : limit;
  for await (const item of read(wanted)) {
    entries.push(item);
    bytes += "value" in item ? JSON.stringify(item.value).length : item.bytes.length;
    if (bytes >= PAGE_BYTES) break;
  }
  return { entries, more: bytes >= PAGE_BYTES || (entries.length === wanted && wanted < limit) };
}

/** Checks that this process has the folder that was asked for, and may write there. In a container, a path may be another folder. */
async function assertSeen({ directory, device, inode }: Operations["backup"]["ask"]): Promise<void> {
  try {
    const seen = await stat(directory, { bigint: true });
    if (String(seen.dev) === device && String(seen.ino) === inode) {
      await access(directory, constants.W_OK | constants.X_OK);
      return;
    }
  } catch (error) {
    const refused = toRefusal(directory, error);
    if (refused !== undefined) throw refused;
  }
  throw new CairnError(
    "BAD_REQUEST",
    `The process that has the data folder does not see \`${directory}\`, as in a container; run this where that runs.`,
  );
}

/** Converts a refusal of rights to an error for the person who asked; `undefined` for other errors. */
function toRefusal(directory: string, error: unknown): CairnError | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const who = `The service writes the copy, as account ${process.geteuid?.() ?? "unknown"},`;
  if (code === "EACCES" || code === "EPERM") {
    const advice = "Run this as that account, with a target in a folder that it may write to";
    return new CairnError("BAD_REQUEST", `${who} and has no permission to write to \`${directory}\`. ${advice}.`);
  }
  if (code !== "EROFS") return undefined;
  const advice =
    "Add the folder to `ReadWritePaths=` of its unit (systemd), or mount it for writing, and start it again";
  return new CairnError("BAD_REQUEST", `${who} and sees \`${directory}\` as read-only. ${advice}.`);
}

/** An error as the other side reads it; one that nobody foresaw says nothing of itself. */
export function toWireError(error: unknown): { name: string; message: string; details?: unknown } {
  if (error instanceof CairnError) return { name: error.name, message: error.message, details: error.details };
  return {
    name: "INTERNAL_ERROR",
    message: "Something failed inside the process that has the data folder; its log says what.",
  };
}
