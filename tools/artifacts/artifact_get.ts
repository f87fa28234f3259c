import type { Handler } from "../../server/host-api.ts";
import { toLayer } from "../_lib/artifacts/layer.ts";
import { type NamedArtifact, readArtifactId } from "../_lib/artifacts/read-artifact-id.ts";
import { loadRevision, may, requireHead } from "../_lib/artifacts/store.ts";
import { toRecord } from "../_lib/artifacts/to-record.ts";

const artifactGet: Handler<NamedArtifact & { readonly revision?: number }> = async (input, ctx) => {
  const { revision } = input;
  const name = readArtifactId(input, ctx);
  const { actor } = await ctx.principal();
  const layer = toLayer(ctx);
  const head = await requireHead(ctx, layer, name, actor, revision === undefined ? "see" : "read");
  const record = await loadRevision(ctx, layer, name, revision ?? head.revision);
  return toRecord(head, record, may(head, actor, "read"));
};

export default artifactGet;
