import type { Handler } from "../../server/host-api.ts";
import { invokeArtifact } from "../_lib/artifacts/invoke.ts";
import { type NamedArtifact, readArtifactId } from "../_lib/artifacts/read-artifact-id.ts";
import { toMode } from "../_lib/artifacts/validate.ts";

interface Input extends NamedArtifact {
  readonly method?: string;
  readonly arguments?: unknown;
  readonly max_price?: number;
}

const artifactInvoke: Handler<Input> = async (input, ctx) => {
  const name = readArtifactId(input, ctx);
  const { method, arguments: args, max_price: maxPrice } = input;
  const { actor } = await ctx.principal();
  const mode = toMode(ctx.params["executor"]?.["validate_artifact_args"]);
  const wanted = {
    name,
    args,
    ...(method === undefined ? {} : { method }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
  };
  const { result, ...about } = await invokeArtifact(ctx, mode, actor, wanted);
  return { result: result ?? null, artifact_id: about.artifact, ...about };
};

export default artifactInvoke;
