import { isObject } from "../../is-object.ts";
import type { Json, Store } from "../../store/store.ts";
import type { Problem } from "../problem.ts";

/** What came of looking at a commit. */
export type Verdict =
  | {
      readonly ok: true;
      readonly semver: string;
      readonly servers: readonly string[];
      /** See `writeToolNames`: one text, because most versions have the same, and each start reads them all. */
      readonly tools: string;
      /** The version or commit that its number is measured against; absent where there is none. */
      readonly base?: string;
      /** What is wrong with its number, `[]` when nothing is; absent while nobody has compared the two. */
      readonly claim?: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Remembers verdicts across restarts, by commit, for as long as the same rules judge. */
export interface Verdicts {
  get(commit: string): Verdict | undefined;
  /** Takes effect at once and is written soon. */
  set(commit: string, verdict: Verdict): void;
  /** Resolves when all is written or has failed to be. */
  flush(): Promise<void>;
}

const PREFIX = ["versions", "verdict"] as const;
const MAX_BATCH = 200;
/** Verdicts about commits that nothing leads to any more go away by themselves; the others are found anew. */
const KEPT_MS = 90 * 24 * 60 * 60_000;
/** Of a tree with more, the first ones are as much as anybody reads. */
const MAX_PROBLEMS = 50;

/** `fingerprint` names the rules; verdicts made by others are not believed. */
export async function loadVerdicts(
  store: Store,
  fingerprint: string,
  onError: (error: unknown) => void,
): Promise<Verdicts> {
  const known = new Map<string, Verdict>();
  for await (const { key, value } of store.scan({ prefix: PREFIX })) {
    const commit = key[PREFIX.length];
    const verdict = readVerdict(value, fingerprint);
    if (typeof commit === "string" && verdict !== undefined) known.set(commit, verdict);
  }
  let unwritten = new Map<string, Verdict>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (unwritten.size > 0) {
      const batch = [...unwritten].slice(0, MAX_BATCH);
      for (const [commit] of batch) unwritten.delete(commit);
      const set = batch.map(([commit, verdict]) => {
        return { key: [...PREFIX, commit], value: toJson(verdict, fingerprint), ttl: KEPT_MS };
      });
      await store.commit({ set });
    }
  }

  function startWriting(): void {
    // Losing a verdict costs looking once more, so a store that is away stops nothing.
    writing ??= Promise.resolve()
      .then(write)
      .catch(onError)
      .finally(() => {
        writing = undefined;
        // What came after the last look, and before this.
        if (unwritten.size > 0) startWriting();
      });
  }

  return Object.freeze({
    get: (commit: string) => known.get(commit),
    set: (commit: string, verdict: Verdict) => {
      const kept = limitVerdict(verdict);
      known.set(commit, Object.freeze(kept));
      unwritten.set(commit, kept);
      startWriting();
    },
    flush: async () => {
      for (let running = writing; running !== undefined; running = writing) await running;
    },
  });
}

function limitVerdict(verdict: Verdict): Verdict {
  if (!verdict.ok) return { ...verdict, problems: verdict.problems.slice(0, MAX_PROBLEMS) };
  return verdict.claim === undefined ? verdict : { ...verdict, claim: verdict.claim.slice(0, MAX_PROBLEMS) };
}

function toJson(verdict: Verdict, fingerprint: string): Json {
  if (!verdict.ok) return { fingerprint, problems: problemsToJson(verdict.problems) };
  const { semver, servers, tools, base, claim } = verdict;
  return {
    fingerprint,
    semver,
    servers,
    tools,
    ...(base === undefined ? {} : { base }),
    ...(claim === undefined ? {} : { claim: problemsToJson(claim) }),
  };
}

export function problemsToJson(problems: readonly Problem[]): Json {
  return problems.map((problem) => ({ ...problem }));
}

/** Undefined where `value` is not a list of problems. */
export function readProblems(value: Json | undefined): readonly Problem[] | undefined {
  return Array.isArray(value) && value.every(isProblem) ? (value as readonly Problem[]) : undefined;
}

function readVerdict(value: Json, fingerprint: string): Verdict | undefined {
  if (!isObject(value) || value["fingerprint"] !== fingerprint) return undefined;
  const { semver, servers, tools, base } = value;
  if (typeof semver === "string" && isStrings(servers) && typeof tools === "string") {
    const claim = readProblems(value["claim"] as Json | undefined);
    return { ok: true, semver, servers, tools, ...(typeof base === "string" && { base }), ...(claim && { claim }) };
  }
  const problems = readProblems(value["problems"] as Json | undefined);
  return problems === undefined || problems.length === 0 ? undefined : { ok: false, problems };
}

function isProblem(value: unknown): value is Problem {
  if (!isObject(value)) return false;
  const { file, line, column, rule, message, fix, needs } = value;
  return (
    (needs === undefined || isStrings(needs)) &&
    [file, rule, message, fix].every((text) => typeof text === "string") &&
    [line, column].every((number) => typeof number === "number")
  );
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
