import type { Handler } from "cairn-gitops/host-api";
import { send, toPath } from "../_lib/github.ts";
import { type GitHubIssue, toIssue } from "../_lib/issue.ts";
import { findWritten, withKey } from "../_lib/keys.ts";
import type { CreateInput, CreateOutput } from "./_types.d.ts";

const create: Handler<CreateInput, CreateOutput> = async ({ owner, repo, title, body, labels, key }, ctx) => {
  const path = toPath({ owner, repo }, "issues");
  const earlier = await findWritten<GitHubIssue>(
    ctx,
    `${path}?state=all&sort=created&direction=desc&per_page=100`,
    key,
  );
  if (earlier !== undefined) return { issue: toIssue(earlier), created: false };
  const reply = await send(ctx, path, {
    method: "POST",
    expected: 201,
    body: { title, body: withKey(body, key), labels },
  });
  return { issue: toIssue(reply.json<GitHubIssue>()), created: true };
};

export default create;
