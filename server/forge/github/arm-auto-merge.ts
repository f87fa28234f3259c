import type { Landing } from "../forge.ts";
import { explainWait } from "../to-checks.ts";
import type { Required } from "./checks.ts";
import type { Context, Pull } from "./context.ts";
import { loadLandingMessage } from "./load-landing-message.ts";
import type { MergeMethod } from "./config.ts";
import { defined } from "../../json/defined.ts";

const MUTATION = `mutation ($input: EnablePullRequestAutoMergeInput!) {
  enablePullRequestAutoMerge(input: $input) { pullRequest { number } }
}`;

/** Has GitHub merge by itself, where its rules keep it from merging anything else than what was checked. */
export async function armAutoMerge(
  context: Context,
  pull: Pull,
  required: Required,
  method: MergeMethod,
): Promise<Landing> {
  const { api } = context;
  const blocked = (reason: string): Landing => ({ outcome: "blocked", reason });
  if (required.strict !== true) {
    return blocked(
      `Auto-merge would land it on a \`${pull.base.ref}\` that moved: no rule that Cairn can read has branches up to date first.`,
    );
  }
  const armed: Landing = { outcome: "armed", reason: explainWait(required.names) };
  // Asked again, GitHub would tell everybody again.
  if (pull.auto_merge !== null) return armed;
  const { title, body } = await loadLandingMessage(context, pull, method);
  const input = {
    pullRequestId: pull.node_id,
    mergeMethod: method === "squash" ? "SQUASH" : "MERGE",
    expectedHeadOid: pull.head.sha,
    ...defined({ commitHeadline: title }),
    commitBody: body,
  };
  const done = await api.mutate(`have pull request ${pull.number} merge when it is green`, MUTATION, input);
  return done.ok ? armed : blocked(`GitHub does not take auto-merge: ${done.words}`);
}
