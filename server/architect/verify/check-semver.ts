import type { Difference } from "../../compat/compare-versions.ts";
import { explainClaims } from "../../compat/format-difference.ts";
import { judgeDifference, type Readable } from "../../compat/judge-difference.ts";
import { failed, type Outcome, passed } from "./outcome.ts";

/** Whether the numbers say as much as the change needs. */
export async function checkSemver(difference: Difference, before: Readable, after: Readable): Promise<Outcome> {
  const problems = await judgeDifference(difference, before, after);
  if (problems.length === 0) return passed(...explainClaims(difference));
  return failed(
    ...problems.map(
      ({ file, line, column, message, rule, fix }) => `${file}:${line}:${column}: ${message} (${rule}) ${fix}`,
    ),
  );
}
