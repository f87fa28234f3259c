import { hash } from "node:crypto";
import type { Log } from "../../log/log.ts";
import { AUDIT_LOGS, auditCheckpoints, auditLog, auditTree } from "../../store/keys.ts";
import type { Store, Write } from "../../store/store.ts";
import { CairnError } from "../../errors.ts";
import { EMPTY_TREE, growTree, readTree, toRoot, type Tree } from "./merkle-tree.ts";
import { createSerial } from "../../serial.ts";
import type { Signer } from "./signing-key.ts";
import { GENESIS_HASH, readEntry } from "./verify/chain.ts";
import { readCheckpoint, toCheckpointText, toLogKey } from "./verify/checkpoint.ts";
import { toLeafHash } from "./verify/merkle.ts";

/** A log that has grown has a new checkpoint after so many milliseconds, or so many entries. */
export const CHECKPOINT_MS = 10_000;
export const CHECKPOINT_ENTRIES = 1_000;
/** Entries that one commit adds to the tree. */
const STRIDE = 4096;
/** Of so many entries, the last checkpoint is kept. */
const KEPT_EVERY = 1000;

/** A fault of a log. */
export interface Broken {
  readonly tenant: string;
  /** Of the first entry that is known to be wrong. */
  readonly seq: number;
  readonly problem: string;
}

export interface CheckpointOptions {
  readonly store: Store;
  readonly signer: Signer;
  readonly log: Log;
}

/** Keeps a checkpoint near the end of every audit log, and knows which logs are broken. */
export interface Checkpoints {
  /** Notes that a log has grown to a sequence number. Logs of other kinds are ignored. */
  appended(name: string, seq: number): void;
  isBroken(tenant: string): boolean;
  broken(): readonly Broken[];
  /** Brings the checkpoints of these tenants up to their logs. Logs what goes wrong, and does not reject. */
  advance(tenants: readonly string[]): Promise<void>;
  /** Advances all that have grown, after what is under way. */
  settle(): Promise<void>;
}

export function createCheckpoints({ store, signer, log }: CheckpointOptions): Checkpoints {
  const advanceOne = createCheckpointer({ store, signer });
  const broken = new Map<string, Broken>();
  /** Tenants whose logs have grown, to the first sequence number without a checkpoint. */
  let grown = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  // One after the other, so that nothing is done twice.
  const inTurn = createSerial();

  async function advance(tenants: readonly string[]): Promise<void> {
    for (const tenant of tenants) {
      if (broken.has(tenant)) continue;
      try {
        const found = await advanceOne(tenant);
        if (found === undefined) continue;
        broken.set(tenant, found);
        log.error(
          { ...found },
          "audit log is broken: nothing more is written to it, and its tenant's calls are refused",
        );
      } catch (error) {
        // The store cannot be reached now; what is not vouched for yet will be looked at with what comes next.
        log.error({ err: error }, "audit could not be written");
      }
    }
  }

  function settle(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const tenants = [...grown.keys()];
    grown = new Map();
    return inTurn(() => advance(tenants));
  }

  return {
    appended(name, seq) {
      // Calls append to other logs as well.
      if (!name.startsWith(AUDIT_LOGS)) return;
      const tenant = name.slice(AUDIT_LOGS.length);
      const first = grown.get(tenant);
      if (first === undefined) grown.set(tenant, seq);
      if (first !== undefined && seq - first + 1 >= CHECKPOINT_ENTRIES) void settle();
      else timer ??= setTimeout(() => void settle(), CHECKPOINT_MS).unref();
    },
    isBroken: (tenant) => broken.size > 0 && broken.has(tenant),
    broken: () => [...broken.values()],
    advance,
    settle,
  };
}

/**
 * Brings the Merkle tree and the checkpoint of a tenant's log up to its newest entry. Before it vouches for anything new,
 * it checks that the last checkpoint is genuine, that the entry it ends with is still there, and that the chain from there
 * on is whole; it resolves with what is wrong, and then signs nothing. Processes that share the store may do so at the
 * same time: one of them writes.
 */
export function createCheckpointer({ store, signer }: Pick<CheckpointOptions, "store" | "signer">) {
  return async function advance(tenant: string): Promise<Broken | undefined> {
    const broken = (seq: number, problem: string): Broken => ({ tenant, seq, problem });
    try {
      for (;;) {
        const stored = await store.get(auditTree(tenant));
        const tree = stored === undefined ? EMPTY_TREE : readTree(stored.value);
        const wrong = await findSeam(tenant, tree);
        // A first tree and its checkpoint, which another process wrote between two reads, look like a tree that is missing.
        if (wrong !== undefined && (await store.get(auditTree(tenant)))?.rev !== stored?.rev) continue;
        if (wrong !== undefined) return broken(Math.max(0, tree.size - 1), wrong);
        const leaves: Buffer[] = [];
        let prev = tree.size === 0 ? GENESIS_HASH : tree.head;
        for await (const { bytes, hash: named } of store.readLog(auditLog(tenant), {
          from: tree.size,
          limit: STRIDE,
        })) {
          const read = readEntry(Buffer.from(bytes), tree.size + leaves.length, prev);
          if (!read.ok) return broken(read.seq, read.problem);
          if (read.hash !== named) return broken(tree.size + leaves.length, "its bytes do not have its hash");
          prev = named;
          leaves.push(toLeafHash(bytes));
        }
        if (leaves.length === 0) return undefined;
        const grown = growTree(tenant, tree, leaves, prev);
        await save(tenant, stored?.rev ?? 0, grown.tree, grown.tiles);
        if (leaves.length < STRIDE) return undefined;
      }
    } catch (error) {
      // What cannot be reached may be whole; what was read and makes no sense is not.
      if (error instanceof CairnError && error.name !== "UNAVAILABLE") return broken(0, error.message);
      throw error;
    }
  };

  /** The fault where the tree ends; undefined when there is none. */
  async function findSeam(tenant: string, tree: Tree): Promise<string | undefined> {
    if (tree.size === 0) {
      for await (const _ of scanCheckpoints(store, tenant)) return "the tree that its checkpoints vouch for is missing";
      return undefined;
    }
    const checkpoint = readCheckpoint(tree.checkpoint, toLogKey(signer.key, tenant));
    if (checkpoint === undefined) return "its checkpoint is not signed by this service's key";
    if (checkpoint.size !== tree.size || Buffer.compare(checkpoint.root, toRoot(tree)) !== 0) {
      return "the tree is not the one that its checkpoint vouches for";
    }
    for await (const { seq, bytes } of store.readLog(auditLog(tenant), { from: tree.size - 1, limit: 1 })) {
      const isSame = seq === tree.size - 1 && hash("sha256", bytes) === tree.head;
      return isSame ? undefined : "it is not the one that was vouched for";
    }
    return `it is missing: the checkpoint vouches for ${tree.size} entries`;
  }

  async function save(tenant: string, rev: number, tree: Tree, tiles: readonly Write[]): Promise<void> {
    const origin = toLogKey(signer.key, tenant).name;
    const checkpoint = signer.sign(tenant, toCheckpointText({ origin, size: tree.size, root: toRoot(tree) }));
    const bucket = Math.floor((tree.size - 1) / KEPT_EVERY);
    // Who has another revision by now was overtaken by another process, which has done the same.
    await store.commit({
      check: [{ key: auditTree(tenant), rev }],
      set: [
        ...tiles,
        { key: auditTree(tenant), value: { ...tree, checkpoint } },
        { key: [...auditCheckpoints(tenant), bucket], value: checkpoint },
      ],
    });
  }
}

/** Checkpoints that were kept, smallest first. */
export async function* scanCheckpoints(store: Store, tenant: string): AsyncGenerator<string> {
  for await (const { value } of store.scan({ prefix: auditCheckpoints(tenant) })) yield String(value);
}

/** The tree of a log as it was last saved; empty before the first time. */
export async function loadTree(store: Store, tenant: string): Promise<Tree> {
  const stored = await store.get(auditTree(tenant));
  return stored === undefined ? EMPTY_TREE : readTree(stored.value);
}
