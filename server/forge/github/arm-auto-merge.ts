import type { Landing } from "../forge.ts";
import { explainWait } from "../to-checks.ts";
import type { Required } from "./checks.ts";
import type { Context, Pull } from "./context.ts";
import { loadLandingMessage } from "./load-landing-message.ts";
import { defined } from "../../json/defined.ts";

const MUTATION = `mutation ($input: EnablePullRequestAutoMergeInput!) {
  enablePullRequestAutoMerge(input: $input) { pullRequest { number } }
}`;

/** Has GitHub merge by itself, where its rules keep it from merging anything else than what was checked. */
export async function armAutoMerge(context: Context, pull: Pull, required: Required): Promise<Landing> {
  const { api, mergeMethod } = context;
  const blocked = (reason: string): Landing => ({ outcome: "blocked", reason });
  if (!required.strict) {
    return blocked(
      `Auto-merge would land it on a \`${pull.base.ref}\` that moved: no rule has branches up to date first.`,
    );
  }
  const armed: Landing = { outcome: "armed", reason: explainWait(required.names) };
  // Asked again, GitHub would tell everybody again.
  if (pull.auto_merge !== null) return armed;
  const { title, body } = await loadLandingMessage(context, pull);
  const input = {
    pullRequestId: pull.node_id,
    mergeMethod: mergeMethod === "squash" ? "SQUASH" : "MERGE",
    expectedHeadOid: pull.head.sha,
    ...defined({ commitHeadline: title }),
    commitBody: body,
  };
  const refusal = await api.write(`have pull request ${pull.number} merge when it is green`, async () => ({
    data: await api.octokit.graphql(MUTATION, { input }).then(() => undefined, toRefusal),
  }));
  const words = refusal.ok ? refusal.data : refusal.words;
  if (words !== undefined) return blocked(`GitHub does not take auto-merge: ${words}`);
  return armed;
}

/** A refusal of GraphQL comes in a good answer. */
function toRefusal(error: unknown): string {
  if (error instanceof Error && error.name === "GraphqlResponseError") return error.message;
  throw error;
}
