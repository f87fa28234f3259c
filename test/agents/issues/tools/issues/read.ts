import type { Handler } from "cairn-gitops/host-api";
import { send, toPath } from "../_lib/github.ts";
import { type GitHubIssue, toIssue } from "../_lib/issue.ts";
import type { ReadInput, ReadOutput } from "./_types.d.ts";

const read: Handler<ReadInput, ReadOutput> = async ({ owner, repo, number, unless }, ctx) => {
  const headers = unless === undefined ? undefined : { "if-none-match": unless };
  const reply = await send(ctx, toPath({ owner, repo }, "issues", number), { ...(headers && { headers }) });
  if (reply.status === 304) return { changed: false, ...(unless !== undefined && { etag: unless }) };
  const etag = reply.headers["etag"];
  return { changed: true, issue: toIssue(reply.json<GitHubIssue>()), ...(etag !== undefined && { etag }) };
};

export default read;
