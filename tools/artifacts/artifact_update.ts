import type { Handler } from "../../server/host-api.ts";
import { type NamedArtifact, readArtifactId } from "../_lib/artifacts/read-artifact-id.ts";
import { toReceipt } from "../_lib/artifacts/to-record.ts";
import { type Draft, updateArtifact } from "../_lib/artifacts/write.ts";

type Input = Omit<Draft, "name"> & NamedArtifact & { readonly expected_revision?: number };

const artifactUpdate: Handler<Input> = async (
  { artifact_id: id, name, expected_revision: expected, ...draft },
  ctx,
) => {
  const artifact = readArtifactId({ artifact_id: id, name }, ctx);
  const { actor } = await ctx.principal();
  return toReceipt(await updateArtifact(ctx, actor, { ...draft, name: artifact }, expected));
};

export default artifactUpdate;
