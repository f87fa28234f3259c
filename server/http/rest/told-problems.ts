import type { Caller } from "../../auth/caller.ts";
import type { ToPrincipal } from "../../auth/to-principal.ts";
import { CairnError } from "../../errors.ts";
import { holdsAll } from "../../principal.ts";
import { hideProblems } from "../../versions/hide-problems.ts";
import type { Problem } from "../../versions/problem.ts";
import type { Described } from "../../versions/registry/resolve/describe.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";

/** What is wrong with a version, as one caller is told; `isOwn`: others may be told something else. */
export type TellProblems = (
  described: Described,
  caller: Caller,
) => Promise<{ readonly problems: readonly Problem[]; readonly isOwn: boolean }>;

/** Whoever may not use a tool is not told its name by the problems of a version either. */
export function createTellProblems(registry: Pick<Registry, "inspect">, toPrincipal: ToPrincipal): TellProblems {
  return async ({ record, version }, caller) => {
    const { problems, commit } = record;
    if (!problems.some(({ needs }) => needs !== undefined)) return { problems, isOwn: false };
    // A version that is refused for its number has policies all the same.
    const known = version ?? (await registry.inspect(commit).catch(toUndefined))?.version;
    const principal = known && toPrincipal(known, caller);
    const mayKnow = (needs: readonly string[]) =>
      needs.length === 0 || (principal !== undefined && holdsAll(principal, needs));
    return { problems: hideProblems(problems, mayKnow), isOwn: true };
  };
}

function toUndefined(error: unknown): undefined {
  if (!(error instanceof CairnError)) throw error;
}
