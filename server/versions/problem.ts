/** One thing that is wrong with a tree, said so that its author can put it right without asking. */
export interface Problem {
  /** Path inside the tree, with forward slashes. */
  readonly file: string;
  /** 1-based; 1:1 where the whole file is meant. */
  readonly line: number;
  readonly column: number;
  /** Stable, kebab-case: what kind of mistake this is. */
  readonly rule: string;
  /** Fault in one sentence, naming the offending value. */
  readonly message: string;
  /** Remedy. */
  readonly fix: string;
  /** Of callers: whoever has not all of these capabilities is not told what it is about. */
  readonly needs?: readonly string[];
}

/** Problem as shown to callers who may not know its tool: its existence and its kind. */
const HIDDEN = { file: "versions.yaml", line: 1, column: 1, message: "It is about a tool that needs capabilities." };

/** Problems as they are told to whoever holds what `holdsAll` says; those that come to the same are told once. */
export function hideProblems(
  problems: readonly Problem[],
  holdsAll: (capabilities: readonly string[]) => boolean,
): readonly Problem[] {
  const told = new Map<string, Problem>();
  for (const { needs = [], ...problem } of problems) {
    const shown = holdsAll(needs) ? problem : { ...HIDDEN, rule: problem.rule, fix: problem.fix };
    told.set(JSON.stringify(shown), shown);
  }
  return [...told.values()];
}
