import type { Handler } from "../../server/host-api.ts";
import { toReceipt } from "../_lib/artifacts/to-record.ts";
import { type Draft, updateArtifact } from "../_lib/artifacts/write.ts";

const artifactUpdate: Handler<Draft & { readonly expected_revision?: number }> = async (
  { expected_revision: expected, ...draft },
  ctx,
) => {
  const { actor } = await ctx.principal();
  return toReceipt(await updateArtifact(ctx, actor, draft, expected));
};

export default artifactUpdate;
