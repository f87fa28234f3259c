import { isObject } from "../../is-object.ts";
import type { Store } from "../../store/store.ts";
import type { Problem } from "../problem.ts";
import type { Tree } from "../tree.ts";
import type { Version } from "../version.ts";
import { problemsToJson, readProblems, type Verdict, type Verdicts } from "./verdicts.ts";
import type { VersionCache } from "./version-cache.ts";

/** A version, and the manifests that it was made of. */
export interface ClaimSide {
  readonly version: Version;
  readonly tree: Tree;
}

/** What is wrong with the number of `after`, measured against `before`; `[]` when nothing is. */
export type JudgeClaim = (before: ClaimSide, after: ClaimSide) => Promise<readonly Problem[]>;

/** Finds out whether versions are numbered as their content needs, each once, when somebody wants to know. */
export interface Claims {
  /** Never rejects: what cannot be proven now stays unproven. The verdict, if it is under-claimed and that was not known. */
  prove(commit: string): Promise<Verdict | undefined>;
}

const PREFIX = ["versions", "proof"] as const;
/** As verdicts are kept. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

/** Whether nobody has compared a version with the one that its number is measured against. */
export function isUnproven(verdict: Verdict | undefined): boolean {
  return verdict?.ok === true && verdict.base !== undefined && verdict.claim === undefined;
}

export function createClaims(options: {
  readonly store: Store;
  /** Names the rules: what was proven under others is proven again. */
  readonly fingerprint: string;
  readonly cache: VersionCache;
  readonly verdicts: Verdicts;
  /** The commit that a name or the beginning of a commit means; undefined where there is none, or more than one. */
  readonly findCommit: (name: string) => Promise<string | undefined>;
  /** The id of a commit's tree. */
  readonly treeOf: (commit: string) => Promise<string | undefined>;
  readonly readTree: (commit: string) => Promise<{ readonly ok: true; readonly tree: Tree } | { readonly ok: false }>;
  readonly judge: JudgeClaim;
  readonly onError: (error: unknown) => void;
}): Claims {
  const { store, fingerprint, cache, verdicts, findCommit, treeOf, judge } = options;
  const running = new Map<string, Promise<Verdict | undefined>>();

  async function proveNow(commit: string): Promise<Verdict | undefined> {
    const verdict = verdicts.get(commit);
    if (verdict?.ok !== true || !isUnproven(verdict) || verdict.base === undefined) return undefined;
    const base = await findCommit(verdict.base);
    if (base === undefined) return undefined;
    const problems = await lookUp(base, commit);
    if (problems === undefined) return undefined;
    const judged = { ...verdict, claim: problems };
    verdicts.set(commit, judged);
    return problems.length > 0 ? judged : undefined;
  }

  /** What was found of two trees with the same content, else of these. */
  async function lookUp(base: string, commit: string): Promise<readonly Problem[] | undefined> {
    const [before, after] = await Promise.all([treeOf(base), treeOf(commit)]);
    if (before === undefined || after === undefined) return undefined;
    const key = [...PREFIX, before, after];
    const known = (await store.get(key))?.value;
    if (isObject(known) && known["fingerprint"] === fingerprint) {
      const problems = readProblems(known["problems"]);
      if (problems !== undefined) return problems;
    }
    const [older, newer] = await Promise.all([look(base), look(commit)]);
    if (older === undefined || newer === undefined) return undefined;
    const problems = await judge(older, newer);
    await store.commit({ set: [{ key, value: { fingerprint, problems: problemsToJson(problems) }, ttl: KEPT_MS }] });
    return problems;
  }

  async function look(commit: string): Promise<ClaimSide | undefined> {
    const [loaded, read] = await Promise.all([cache.look(commit), options.readTree(commit)]);
    return loaded.ok && read.ok ? { version: loaded.version, tree: read.tree } : undefined;
  }

  return Object.freeze({
    prove: (commit: string) => {
      const known = running.get(commit);
      if (known !== undefined) return known.then(() => undefined);
      const started = proveNow(commit)
        .catch((error: unknown) => {
          options.onError(error);
          return undefined;
        })
        .finally(() => running.delete(commit));
      running.set(commit, started);
      return started;
    },
  });
}
