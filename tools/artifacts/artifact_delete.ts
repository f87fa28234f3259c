import type { Handler } from "../../server/host-api.ts";
import { deleteArtifact } from "../_lib/artifacts/write.ts";

const artifactDelete: Handler<{ readonly name: string }> = async ({ name }, ctx) => {
  const { actor } = await ctx.principal();
  const { revision } = await deleteArtifact(ctx, actor, name);
  return { name, revision };
};

export default artifactDelete;
