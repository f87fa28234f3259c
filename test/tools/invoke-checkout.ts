import { hash } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { ModelConfig } from "../../server/config/config-model.ts";
import type { Call, Invoke, Result } from "../../server/kernel/call.ts";
import { LOCAL_PRINCIPAL, type Principal } from "../../server/principal.ts";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import type { Json, Store } from "../../server/store/store.ts";
import { loadDirectoryTree } from "../../server/versions/git/directory-tree.ts";
import { loader } from "../helpers/loader.ts";
import type { Tree } from "../../server/versions/tree.ts";
import type { Tool, Version } from "../../server/versions/version.ts";
import { type AtEnd, createShared, temporaryFolder } from "../helpers/temporary.ts";
import { openRepositoryParts, type RepositoryParts } from "./repository-parts.ts";
import { openTestKernel } from "../helpers/kernel.ts";
import { warmSandbox } from "../helpers/warm-sandbox.ts";

export interface InvokedCheckout {
  readonly tool: (name: string) => Tool;
  readonly call: (tool: string, input: unknown, principal?: Principal, more?: Partial<Call>) => Promise<Result>;
  /** The output of a call that has to succeed. */
  readonly output: (tool: string, input: unknown, principal?: Principal) => Promise<Json>;
  /** For tests that go behind the tools' backs. */
  readonly store: () => Store;
  /** The folder of what handlers write out. */
  readonly exports: () => string;
  /** Whether commands can be run on this machine. */
  readonly hasSandbox: () => boolean;
}

/** For all files of tests: what most of them have in common is read once. */
const { load } = loader;

export type Changes = Readonly<Record<string, (content: string) => string>>;

/**
 * This checkout's tools, called as the service does, with a store of their own: for tools that keep something. With a
 * `repository` there are workspaces, too.
 */
export function useInvokedCheckout(
  options: {
    readonly repository?: boolean;
    readonly commands?: boolean;
    /** What other content files have, or files that are not there. */
    readonly changes?: Changes;
    /** Opens a model that plans. */
    readonly openModel?: (atEnd: AtEnd) => Promise<ModelConfig>;
  } = {},
): InvokedCheckout {
  const { repository = false, commands = false, changes = {} } = options;
  const shared = createShared();
  let version: Version | undefined;
  let exports = "";
  let store: Store | undefined;
  let parts: RepositoryParts | undefined;
  let invoke: Invoke | undefined;
  beforeAll(async () => {
    const read = await loadDirectoryTree(".");
    if (!read.ok) throw new Error("the checkout cannot be read");
    const folder = await temporaryFolder(shared.atEnd);
    parts = repository ? await openRepositoryParts(folder, commands, shared.atEnd) : undefined;
    const tree = await changeTree(read.tree, changes);
    const loaded = await load(tree, parts?.commit ?? "a".repeat(40));
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, null, 2));
    ({ version } = loaded);
    const opened = await openLmdbStore({ directory: await temporaryFolder(shared.atEnd), now: Date.now });
    store = opened;
    exports = await temporaryFolder(shared.atEnd);
    shared.atEnd(() => opened.admin.close());
    const kernel = openTestKernel({
      store: opened,
      sandbox: await warmSandbox(),
      durability: "always",
      capabilities: {
        load,
        exports,
        ...parts?.syscalls,
        ...parts?.openVerify(version, opened, await options.openModel?.(shared.atEnd)),
      },
    });
    shared.atEnd(kernel.close);
    ({ invoke } = kernel);
  });
  afterAll(shared.undoAll);

  const tool = (name: string): Tool => {
    const found = version?.tools.get(name);
    if (!found) throw new Error(`there is no tool ${name}`);
    return found;
  };
  const call: InvokedCheckout["call"] = async (name, input, principal = LOCAL_PRINCIPAL, more = {}) => {
    if (!version || !invoke) throw new Error("the checkout is loaded during tests only");
    return invoke({ version, tool: tool(name), input, principal, ...more });
  };
  return {
    tool,
    call,
    store: () => {
      if (!store) throw new Error("the store is open during tests only");
      return store;
    },
    exports: () => exports,
    hasSandbox: () => parts?.hasSandbox === true,
    async output(name, input, principal) {
      const result = await call(name, input, principal);
      if (!result.ok) throw new Error(`${result.error.name}: ${result.error.message}`);
      return result.output;
    },
  };
}

async function changeTree(tree: Tree, changes: Changes): Promise<Tree> {
  const texts = new Map<string, Uint8Array>();
  const entries = new Map(tree.entries);
  for (const [path, change] of Object.entries(changes)) {
    const entry = tree.entries.get(path);
    const content = entry && (await tree.read(entry, 1e6));
    const text = change(Buffer.from(content ?? []).toString());
    const oid = hash("sha1", text);
    entries.set(path, { oid, kind: "file" });
    texts.set(oid, Buffer.from(text));
  }
  const sorted = new Map([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...tree, entries: sorted, read: async (entry, max) => texts.get(entry.oid) ?? tree.read(entry, max) };
}
