import { CairnError } from "../errors.ts";
import type { AuthConfig } from "./config-auth.ts";
import type { ForgeConfig } from "./config-forge.ts";
import type { StoreConfig } from "./config-store.ts";

/** Settings that decide whether several nodes can share a store. */
export interface Sharing {
  readonly store: StoreConfig;
  readonly repository?: string;
  readonly forge: ForgeConfig;
  readonly auth: AuthConfig;
  readonly auditKey?: string;
}

const SEVERAL = "CAIRN_NODE_ADDRESS lets several nodes share a database, and";

/** Finds the address at which other nodes reach this one; `undefined` where it has its store for itself. */
export function findNodeAddress(store: StoreConfig): string | undefined {
  return store.engine === "postgres" ? store.nodeAddress : undefined;
}

/** Finds what several nodes of one database cannot have: each sentence says what to set. */
export function findSharingProblems({ store, repository, forge, auth, auditKey }: Sharing): readonly string[] {
  if (findNodeAddress(store) === undefined) return [];
  const problems: string[] = [];
  if (repository === undefined) {
    problems.push(
      `${SEVERAL} the repository in a data folder is one node's: set CAIRN_REPO to one that all reach, and CAIRN_FORGE to \`github\` or \`none\``,
    );
  } else if (forge.kind === "local") {
    problems.push(`${SEVERAL} a local forge works on one machine: set CAIRN_FORGE to \`github\` or \`none\``);
  }
  if (auth.mode === "auto" && auth.oauth === undefined) {
    problems.push(
      `${SEVERAL} callers without a token are for one machine: set CAIRN_AUTH=tokens or CAIRN_OAUTH_ISSUER`,
    );
  }
  if (auditKey === undefined) {
    problems.push(
      `${SEVERAL} all sign one audit: set CAIRN_AUDIT_KEY to the file of its key, the same key on every node`,
    );
  }
  return problems;
}

/** Finds what a service of several processes cannot have: each sentence says what to set. */
export function findWorkerProblems({
  workers,
  store,
  previews,
}: Pick<Sharing, "store"> & { readonly workers: number; readonly previews: boolean }): readonly string[] {
  if (workers === 1) return [];
  const problems: string[] = [];
  if (store.engine !== "lmdb") {
    problems.push(
      `${WORKERS} the store in a data folder: with a database, start several nodes, each with CAIRN_NODE_ADDRESS`,
    );
  }
  if (previews) {
    problems.push(
      `${WORKERS} stores that all share, and a preview has one of its own: set CAIRN_PREVIEWS=off, or CAIRN_WORKERS=1`,
    );
  }
  return problems;
}

const WORKERS = "CAIRN_WORKERS is for";

/** Refuses to serve files of one machine beside other nodes. @throws BAD_REQUEST */
export function assertSole(store: StoreConfig): void {
  if (findNodeAddress(store) === undefined) return;
  throw new CairnError(
    "BAD_REQUEST",
    "`cairn dev` serves files of this machine, and other nodes do not have them: unset CAIRN_NODE_ADDRESS.",
  );
}
