import type { ForgeKind, ForgeSettings } from "../config/config-forge.ts";
import { defined } from "../json/defined.ts";
import { connectForge } from "./adapters.ts";
import type { InspectPlace, NoForge } from "./adapter.ts";
import type { ForgeRules } from "./forge.ts";
import type { ForgeTime } from "./forge-time.ts";

/** The forge that settings choose, with the rules of the branch that changes land on; or why there is none. */
export type InspectedForge =
  (ForgeRules & { readonly kind: ForgeKind; readonly branch?: string }) | (NoForge & { readonly kind: "none" });

/** Reads the rules that changes have to keep, without a service, its store or its copy of the repository. */
export async function inspectForge(
  settings: ForgeSettings,
  { git, upstream, time }: Omit<InspectPlace, "branch"> & { readonly time: ForgeTime },
): Promise<InspectedForge> {
  const { forge, baseBranch } = settings;
  if (forge.kind === "none") return { kind: "none", why: forge.why };
  const { opener } = await connectForge(settings, time);
  if (opener === undefined) return { kind: "none", why: `The forge \`${forge.kind}\` has no credentials.` };
  const found = await opener.inspect({ git, ...defined({ upstream, branch: baseBranch }) });
  return "why" in found ? { kind: "none", ...found } : { kind: forge.kind, ...found };
}
