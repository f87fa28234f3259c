import type { Difference } from "../../../semver/compare-versions.ts";
import { explainJudgement } from "../../../semver/explain-judgement.ts";
import { explainClaims } from "../../../semver/format-difference.ts";
import type { Candidate, Judgement } from "../../../versions/registry/judge/claims.ts";
import { failed, type Outcome, passed } from "./outcome.ts";

/** Whether the candidate would be served under its number, by the judgement that the service goes by. */
export async function checkSemver(
  difference: Difference,
  candidate: Candidate,
  judge: (candidate: Candidate) => Promise<Judgement>,
): Promise<Outcome> {
  const judgement = await judge(candidate);
  const measured = explainJudgement(candidate.version.semver, judgement);
  if (judgement.problems.length === 0) return passed(...explainClaims(difference), ...measured);
  return failed(
    ...judgement.problems.map(
      ({ file, line, column, message, rule, fix }) => `${file}:${line}:${column}: ${message} (${rule}) ${fix}`,
    ),
    ...measured,
  );
}
