import type { Caller } from "../../auth/caller.ts";
import type { ToPrincipal } from "../../auth/to-principal.ts";
import { CairnError } from "../../errors.ts";
import { holdsAll } from "../../principal.ts";
import { hideProblems, type Problem } from "../../versions/problem.ts";
import type { Described } from "../../versions/registry/resolve/describe.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";

/** Lists the problems of a version as one caller may see them; `isOwn`: others may see different ones. */
export type TellProblems = (
  described: Pick<Described, "record" | "version">,
  caller: Caller,
) => Promise<{ readonly problems: readonly Problem[]; readonly isOwn: boolean }>;

/** Creates the view of problems that hides the names of tools from callers who may not use them. */
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
