import type { Handler } from "../../server/host-api.ts";
import { toReceipt } from "../_lib/artifacts/to-record.ts";
import { createArtifact, type Draft } from "../_lib/artifacts/write.ts";

const artifactCreate: Handler<Draft & { readonly code: string }> = async (input, ctx) => {
  const { actor } = await ctx.principal();
  return toReceipt(await createArtifact(ctx, actor, input));
};

export default artifactCreate;
