import { findSecrets } from "../../architect/pipeline/verify/find-secrets.ts";
import type { Problem } from "../../versions/problem.ts";
import type { Target } from "./open-target.ts";

/** Mark of a text that only looks like a credential, in a comment on its line or on the line before. */
const MARK = /\bnot-a-secret\b/;

const FIX =
  "Take it out and revoke it, because the history keeps it; a tool gets it by `secrets` in its manifest. " +
  "If it is none, say `not-a-secret` and why in a comment on this line or the one before.";

/** Finds texts that look like credentials in the files of a version; problems name their places and never show them. */
export async function findCredentials({
  files,
  readText,
}: Pick<Target, "files" | "readText">): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const file of files) {
    const text = await readText(file);
    if (text === undefined) continue;
    const lines = text.split("\n");
    for (const { line, column, kind } of await findSecrets(file, text)) {
      if (lines.slice(Math.max(0, line - 2), line).some((one) => MARK.test(one))) continue;
      const message = `This looks like a credential (${kind}).`;
      problems.push({ file, line, column, rule: "credential", message, fix: FIX });
    }
  }
  return problems;
}
