import type { Handler } from "cairn-gitops/host-api";
import { send, toPath } from "../_lib/github.ts";
import { type GitHubIssue, toIssue } from "../_lib/issue.ts";
import type { CloseInput, CloseOutput } from "./_types.d.ts";

const close: Handler<CloseInput, CloseOutput> = async ({ owner, repo, number, reason }, ctx) => {
  const path = toPath({ owner, repo }, "issues", number);
  const reply = await send(ctx, path, { method: "PATCH", body: { state: "closed", state_reason: reason } });
  return { issue: toIssue(reply.json<GitHubIssue>()) };
};

export default close;
