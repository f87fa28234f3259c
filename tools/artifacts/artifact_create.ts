import type { Handler } from "../../server/host-api.ts";
import { type NamedArtifact, readArtifactId } from "../_lib/artifacts/read-artifact-id.ts";
import { toReceipt } from "../_lib/artifacts/to-record.ts";
import { createArtifact, type Draft } from "../_lib/artifacts/write.ts";

type Input = Omit<Draft, "name"> & NamedArtifact & { readonly code: string };

const artifactCreate: Handler<Input> = async ({ artifact_id: id, name, ...draft }, ctx) => {
  const artifact = readArtifactId({ artifact_id: id, name }, ctx);
  const { actor } = await ctx.principal();
  return toReceipt(await createArtifact(ctx, actor, { ...draft, name: artifact }));
};

export default artifactCreate;
