import type { Context } from "cairn-gitops/host-api";

export interface Build {
  readonly build_id: string;
  readonly repository: string;
  readonly target: string;
  readonly state: string;
  readonly log?: readonly { readonly level: string; readonly text: string }[];
  readonly artifacts?: readonly { readonly name: string; readonly kind: string; readonly size_mb: number }[];
}

/** @throws NOT_FOUND when there is no such build. */
export async function loadBuild(ctx: Context, id: string): Promise<Build> {
  const build = await ctx.state.get<Build>(["build", id]);
  if (build === undefined) throw ctx.fail("NOT_FOUND", `There is no build ${id}.`);
  return build;
}
