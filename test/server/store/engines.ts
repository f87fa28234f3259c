import { join } from "node:path";
import { holdOrAsk } from "../../../server/instance/hold-or-ask.ts";
import { createRemoteStore } from "../../../server/instance/remote-store.ts";
import { openLmdbStore } from "../../../server/store/lmdb/lmdb.ts";
import { openPostgresStore } from "../../../server/store/postgres/postgres.ts";
import type { Store } from "../../../server/store/store.ts";
import { openLinked } from "../instance/workers/linked.ts";
import { toDatabase } from "../../stand-ins/postgres.ts";

export type Engine = keyof typeof ENGINES;

/** Of these, several may be open at once. */
export type SharedEngine = "asked";

interface EngineOptions {
  readonly directory: string;
  readonly now?: () => number;
}

/** Everything that implements the port; a child process opens the same engine by its name. */
export const ENGINES = {
  lmdb: openLmdbStore,
  asked: openAskedStore,
  linked: openLinkedStore,
  postgres: openDatabaseStore,
} satisfies Record<string, (options: EngineOptions) => Promise<Store>>;

/** The store of the process that has the directory, over its socket; the first process to come has it. */
async function openAskedStore({ directory, ...options }: EngineOptions): Promise<Store> {
  const holding = { data: directory, command: "test", now: Date.now };
  const use = await holdOrAsk(holding);
  if ("peer" in use) return createRemoteStore(use.peer);
  const { instance } = use;
  const held = await openLmdbStore({ ...options, directory: join(directory, "store") });
  const stopAnswering = await instance.answer(held, (error) => {
    throw error;
  });
  const itself = await holdOrAsk(holding);
  if (!("peer" in itself)) throw new Error("a directory is held twice");
  const asked = createRemoteStore(itself.peer);
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await asked.admin.close();
    await stopAnswering();
    await held.admin.close();
    await instance.release();
  }
  return { ...asked, admin: { ...asked.admin, close: () => (closing ??= close()) } };
}

/** The store of a primary, as a worker has it over their pipe. */
async function openLinkedStore(options: EngineOptions): Promise<Store> {
  const held = await openLmdbStore(options);
  const { link } = await openLinked(held);
  const close = async () => {
    await link.store.admin.close();
    await held.admin.close();
  };
  let closing: Promise<void> | undefined;
  return { ...link.store, admin: { ...link.store.admin, close: () => (closing ??= close()) } };
}

/** A store in a schema of its own, which stands for the directory. */
async function openDatabaseStore({ directory, now }: EngineOptions): Promise<Store> {
  const { store } = await openPostgresStore({
    database: await toDatabase(directory),
    password: async () => undefined,
    limitMs: 30_000,
    node: { node: directory, label: `test in ${directory}` },
    onAlarm(message) {
      throw new Error(message);
    },
    ...(now && { now }),
  });
  return store;
}
