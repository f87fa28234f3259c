import type { Handler } from "cairn-gitops/host-api";
import { send, toPath } from "../_lib/github.ts";
import { findWritten, withKey } from "../_lib/keys.ts";
import type { CommentInput, CommentOutput } from "./_types.d.ts";

interface GitHubComment {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string;
}

const comment: Handler<CommentInput, CommentOutput> = async ({ owner, repo, number, body, key }, ctx) => {
  const path = toPath({ owner, repo }, "issues", number, "comments");
  const earlier = await findWritten<GitHubComment>(ctx, `${path}?per_page=100`, key);
  if (earlier !== undefined) return { id: earlier.id, url: earlier.html_url, created: false };
  const reply = await send(ctx, path, { method: "POST", expected: 201, body: { body: withKey(body, key) } });
  const { id, html_url: url } = reply.json<GitHubComment>();
  return { id, url, created: true };
};

export default comment;
