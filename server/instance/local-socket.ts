import { once } from "node:events";
import { chmod, lstat, mkdtemp, rm, symlink } from "node:fs/promises";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../errors.ts";

const FILE = "socket";
/** Length of `sun_path`, without the zero behind it: 108 bytes on Linux, 104 elsewhere. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;
/** Commands that ask at the same time; more wait in the kernel. */
const MAX_CONNECTIONS = 64;

/**
 * Listens at a socket in `folder`, which only its owner may enter and which nobody else listens in: the caller has
 * the folder's lock, so a socket that is there was left by a process that is gone.
 */
export async function listenLocally(folder: string, onConnection: (socket: Socket) => void): Promise<Server> {
  await assertPrivate(folder);
  const path = join(folder, FILE);
  await rm(path, { force: true });
  const server = createServer(onConnection);
  server.maxConnections = MAX_CONNECTIONS;
  await withShortPath(folder, async (short) => {
    server.listen(short);
    await once(server, "listening");
  });
  await chmod(path, 0o600);
  return server;
}

/** Takes away the socket of a server that has ended. */
export async function removeSocket(folder: string): Promise<void> {
  await rm(join(folder, FILE), { force: true });
}

/** A connection to whoever listens in `folder`; `undefined` when nobody does. */
export async function connectLocally(folder: string): Promise<Socket | undefined> {
  await assertPrivate(folder);
  return withShortPath(folder, async (short) => {
    const socket = createConnection(short);
    try {
      await once(socket, "connect");
      return socket;
    } catch (error) {
      socket.destroy();
      if (error instanceof Error && "code" in error && NOBODY.has(String(error.code))) return undefined;
      throw new CairnError("UNAVAILABLE", `The socket in \`${folder}\` cannot be used: ${String(error)}.`, {
        cause: error,
      });
    }
  });
}

/** No socket, one that nobody listens at any more, or one whose queue is full at the moment. */
const NOBODY: ReadonlySet<string> = new Set(["ENOENT", "ECONNREFUSED", "EAGAIN", "ECONNRESET"]);

/**
 * Refuses a folder that another account could have made or can enter. It could listen there in the service's place and
 * be given tokens to make, or connect and have the store.
 */
export async function assertPrivate(folder: string): Promise<void> {
  const stats = await lstat(folder);
  const own = process.geteuid?.() ?? stats.uid;
  // The machine's administrator may act for everybody.
  const isOwn = stats.uid === own || own === 0;
  if (stats.isDirectory() && isOwn && (stats.mode & 0o077) === 0) return;
  const what = isOwn ? "others may enter it" : `it belongs to the account ${stats.uid}`;
  throw new CairnError(
    "UNAVAILABLE",
    `\`${folder}\` must be a folder that its owner alone may enter, but ${what}; run this as its owner, or mend that.`,
  );
}

/** The kernel takes short paths only; a long one is reached through a link in a folder of our own, just for the moment. */
async function withShortPath<Result>(folder: string, use: (path: string) => Promise<Result>): Promise<Result> {
  const path = join(folder, FILE);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const aside = await mkdtemp(join(tmpdir(), "cairn-"));
  try {
    await symlink(folder, join(aside, "i"));
    return await use(join(aside, "i", FILE));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
