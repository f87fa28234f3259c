import type { Json } from "../../json/types.ts";
import { isObject } from "../../json/is-object.ts";
import type { Store } from "../../store/store.ts";
import type { Problem } from "../problem.ts";

/** Result of inspecting a commit. */
export type Verdict =
  | {
      readonly ok: true;
      readonly semver: string;
      readonly servers: readonly string[];
      /** See `writeToolNames`: one text, because most versions have the same, and each start reads them all. */
      readonly tools: string;
      /** See `listParents`. */
      readonly parents?: readonly string[];
      /** True if its versions.yaml accepts breaks; absent: none. */
      readonly accepts?: boolean;
      /** Problems of its number next to others, by the compared version: see `keyOf` of claims. */
      readonly compared?: Readonly<Record<string, readonly Problem[]>>;
      /**
       * Problems of its number among the present versions, `[]` when there are none; absent while unknown. Never stored:
       * it follows from the facts and the versions.
       */
      readonly claim?: readonly Problem[];
      /** True if there is no version to measure it against. */
      readonly isFirst?: boolean;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Remembers verdicts across restarts, by commit, for as long as the same rules judge. */
export interface Verdicts {
  get(commit: string): Verdict | undefined;
  /** Takes effect at once and is written soon. */
  set(commit: string, verdict: Verdict): void;
  /** Sets the part of an existing verdict that is not stored. */
  setClaim(commit: string, claim: Pick<Verdict & { readonly ok: true }, "claim" | "isFirst">): void;
  /** Resolves when all is written or has failed to be. */
  flush(): Promise<void>;
}

const PREFIX = ["versions", "verdict"] as const;
const MAX_BATCH = 200;
/** Verdicts about commits that nothing leads to any more go away by themselves; the others are found anew. */
const KEPT_MS = 90 * 24 * 60 * 60_000;
/** Of a tree with more, the first ones are as much as anybody reads. */
const MAX_PROBLEMS = 50;
/** Versions that one is compared with change seldom: the newest are as good as all. */
const MAX_COMPARED = 8;

/** Verdicts that are forgotten with the process; `onSet` hears of each that is to be kept longer. */
export function createVerdicts(onSet: (commit: string, verdict: Verdict) => void = () => undefined): Verdicts {
  const known = new Map<string, Verdict>();
  return Object.freeze({
    get: (commit: string) => known.get(commit),
    set: (commit: string, verdict: Verdict) => {
      const kept = Object.freeze(limitVerdict(verdict));
      known.set(commit, kept);
      onSet(commit, kept);
    },
    setClaim: (commit: string, { claim, isFirst }: Parameters<Verdicts["setClaim"]>[1]) => {
      const verdict = known.get(commit);
      if (verdict?.ok !== true) return;
      const { claim: _claim, isFirst: _isFirst, ...rest } = verdict;
      known.set(commit, Object.freeze({ ...rest, ...(claim && { claim }), ...(isFirst === true && { isFirst }) }));
    },
    flush: async () => undefined,
  });
}

/** `fingerprint` names the rules; verdicts made by others are not believed. */
export async function loadVerdicts(
  store: Store,
  fingerprint: string,
  onError: (error: unknown) => void,
): Promise<Verdicts> {
  let unwritten = new Map<string, Verdict>();
  let writing: Promise<void> | undefined;
  let isLoading = true;
  const verdicts = createVerdicts((commit, verdict) => {
    if (isLoading) return;
    unwritten.set(commit, verdict);
    startWriting();
  });
  for await (const { key, value } of store.scan({ prefix: PREFIX })) {
    const commit = key[PREFIX.length];
    const verdict = readVerdict(value, fingerprint);
    if (typeof commit === "string" && verdict !== undefined) verdicts.set(commit, verdict);
  }
  isLoading = false;

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
    ...verdicts,
    flush: async () => {
      for (let running = writing; running !== undefined; running = writing) await running;
    },
  });
}

/** Finds what a version was made from, by the name in its versions.yaml. */
export function toParent(verdict: Verdict | undefined): { readonly parent?: string } {
  const parent = verdict?.ok === true ? verdict.parents?.[0] : undefined;
  return parent === undefined ? {} : { parent };
}

function limitVerdict(verdict: Verdict): Verdict {
  if (!verdict.ok) return { ...verdict, problems: verdict.problems.slice(0, MAX_PROBLEMS) };
  if (verdict.compared === undefined) return verdict;
  const newest = Object.entries(verdict.compared).slice(-MAX_COMPARED);
  return {
    ...verdict,
    compared: Object.fromEntries(newest.map(([key, problems]) => [key, problems.slice(0, MAX_PROBLEMS)])),
  };
}

function toJson(verdict: Verdict, fingerprint: string): Json {
  if (!verdict.ok) return { fingerprint, problems: problemsToJson(verdict.problems) };
  const { semver, servers, tools, parents = [], accepts, compared = {} } = verdict;
  const results = Object.entries(compared).map(([key, problems]) => [key, problemsToJson(problems)] as const);
  return {
    fingerprint,
    semver,
    servers,
    tools,
    ...(parents.length === 0 ? {} : { parents }),
    ...(accepts === true && { accepts }),
    ...(results.length === 0 ? {} : { compared: Object.fromEntries(results) }),
  };
}

function problemsToJson(problems: readonly Problem[]): Json {
  return problems.map((problem) => ({ ...problem }));
}

/** Undefined where `value` is not a list of problems. */
function readProblems(value: Json | undefined): readonly Problem[] | undefined {
  return Array.isArray(value) && value.every(isProblem) ? (value as readonly Problem[]) : undefined;
}

function readVerdict(value: Json, fingerprint: string): Verdict | undefined {
  if (!isObject(value) || value["fingerprint"] !== fingerprint) return undefined;
  const { semver, servers, tools, parents, accepts } = value;
  if (typeof semver === "string" && isStrings(servers) && typeof tools === "string") {
    const compared = readCompared(value["compared"] as Json | undefined);
    return {
      ok: true,
      semver,
      servers,
      tools,
      ...(isStrings(parents) && { parents }),
      ...(accepts === true && { accepts }),
      ...(compared && { compared }),
    };
  }
  const problems = readProblems(value["problems"] as Json | undefined);
  return problems === undefined || problems.length === 0 ? undefined : { ok: false, problems };
}

function readCompared(value: Json | undefined): Readonly<Record<string, readonly Problem[]>> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, problems]) => [key, readProblems(problems as Json)] as const);
  return Object.fromEntries(entries.flatMap(([key, problems]) => (problems === undefined ? [] : [[key, problems]])));
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
