import type { Landing } from "../forge.ts";
import type { Required } from "./checks.ts";
import type { Context, Pull } from "./context.ts";

const MUTATION = `mutation ($input: EnablePullRequestAutoMergeInput!) {
  enablePullRequestAutoMerge(input: $input) { pullRequest { number } }
}`;

/** Has GitHub merge by itself, where its rules keep it from merging anything else than what was checked. */
export async function armAutoMerge(context: Context, pull: Pull, required: Required): Promise<Landing> {
  const { api, mergeMethod } = context;
  const blocked = (reason: string): Landing => ({ outcome: "blocked", reason });
  if (!context.autoMerge) return blocked("Its checks are not green, and auto-merge is not switched on.");
  if (!required.strict) {
    return blocked(
      `Auto-merge would land it on a \`${pull.base.ref}\` that moved: no rule has branches up to date first.`,
    );
  }
  const input = {
    pullRequestId: pull.node_id,
    mergeMethod: mergeMethod === "squash" ? "SQUASH" : "MERGE",
    expectedHeadOid: pull.head.sha,
  };
  const refusal = await api.write(`have pull request ${pull.number} merge when it is green`, async () => ({
    data: await api.octokit.graphql(MUTATION, { input }).then(() => undefined, toRefusal),
  }));
  const words = refusal.ok ? refusal.data : refusal.words;
  if (words !== undefined) return blocked(`GitHub does not take auto-merge: ${words}`);
  return { outcome: "armed", reason: `It lands once its checks are green: ${required.names.join(", ")}.` };
}

/** A refusal of GraphQL comes in a good answer. */
function toRefusal(error: unknown): string {
  if (error instanceof Error && error.name === "GraphqlResponseError") return error.message;
  throw error;
}
