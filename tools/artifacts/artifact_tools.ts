import type { Handler } from "../../server/host-api.ts";
import { listTools } from "../_lib/artifacts/list-tools.ts";
import { toMode } from "../_lib/artifacts/validate.ts";

const artifactTools: Handler<{ readonly after?: string }> = async ({ after }, ctx) => {
  const { actor } = await ctx.principal();
  return listTools(ctx, actor, toMode(ctx.params["executor"]?.["validate_artifact_args"]), after);
};

export default artifactTools;
