import type { Handler } from "cairn-gitops/host-api";
import { send, toPath } from "../_lib/github.ts";
import type { LabelInput, LabelOutput } from "./_types.d.ts";

const label: Handler<LabelInput, LabelOutput> = async ({ owner, repo, number, labels }, ctx) => {
  const path = toPath({ owner, repo }, "issues", number, "labels");
  const reply = await send(ctx, path, { method: "POST", body: { labels } });
  return { labels: reply.json<{ name: string }[]>().map(({ name }) => name) };
};

export default label;
