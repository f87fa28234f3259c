import type { Handler } from "cairn-gitops/host-api";
import { findNext, send, toPath } from "../_lib/github.ts";
import { type GitHubIssue, toIssue } from "../_lib/issue.ts";
import type { ListInput, ListOutput } from "./_types.d.ts";

const list: Handler<ListInput, ListOutput> = async ({ owner, repo, state, labels, page, per_page }, ctx) => {
  const query = new URLSearchParams({ state, page: String(page), per_page: String(per_page) });
  if (labels !== undefined) query.set("labels", labels.join(","));
  const reply = await send(ctx, `${toPath({ owner, repo }, "issues")}?${query}`);
  // GitHub lists pull requests among the issues.
  const issues = reply.json<GitHubIssue[]>().filter((issue) => issue.pull_request === undefined);
  const next = findNext(reply);
  return { issues: issues.map(toIssue), ...(next !== undefined && { next }) };
};

export default list;
