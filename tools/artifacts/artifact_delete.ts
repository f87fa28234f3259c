import type { Handler } from "../../server/host-api.ts";
import { type NamedArtifact, readArtifactId } from "../_lib/artifacts/read-artifact-id.ts";
import { deleteArtifact } from "../_lib/artifacts/write.ts";

const artifactDelete: Handler<NamedArtifact> = async (input, ctx) => {
  const name = readArtifactId(input, ctx);
  const { actor } = await ctx.principal();
  const { revision } = await deleteArtifact(ctx, actor, name);
  return { artifact_id: name, name, revision };
};

export default artifactDelete;
