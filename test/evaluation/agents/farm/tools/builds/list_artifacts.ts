import type { Handler } from "cairn-gitops/host-api";
import { loadBuild } from "../_lib/build.ts";

const listArtifacts: Handler<{ build_id: string; kind?: string; max_size_mb: number }> = async (input, ctx) => {
  const { artifacts = [] } = await loadBuild(ctx, input.build_id);
  return {
    files: artifacts.filter(
      ({ kind, size_mb }) => (input.kind === undefined || kind === input.kind) && size_mb <= input.max_size_mb,
    ),
  };
};

export default listArtifacts;
