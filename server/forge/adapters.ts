import type { ForgeRules } from "./forge.ts";
import type { ForgeKind, ForgeSettings } from "../config/config-forge.ts";
import type { ForgeAdapter, ForgeConnection, InspectPlace, NoForge } from "./adapter.ts";
import type { ForgeTime } from "./forge-time.ts";
import { GITHUB_ADAPTER } from "./github/adapter.ts";
import { LOCAL_ADAPTER } from "./local/adapter.ts";
import { defined } from "../json/defined.ts";
import type { Upstream } from "../versions/git/upstream.ts";

/** Every kind of forge that the configuration knows. */
const ADAPTERS: Readonly<Record<ForgeKind, ForgeAdapter>> = { local: LOCAL_ADAPTER, github: GITHUB_ADAPTER };

/** The kinds that deliver: `/webhooks/{kind}` answers anyone, also where nothing is set for it. */
export const DELIVERING_KINDS: readonly string[] = Object.values(ADAPTERS)
  .filter(({ delivers }) => delivers)
  .map(({ kind }) => kind);

/** The forge that settings choose, with the rules of the branch that changes land on; or why there is none. */
export type InspectedForge =
  (ForgeRules & { readonly kind: ForgeKind; readonly branch?: string }) | (NoForge & { readonly kind: "none" });

/**
 * The names that any kind of forge gives to the heads of proposals. A repository is followed with all of them, also where no forge is
 * set for it: they cost nothing where there are none.
 */
const PROPOSALS: readonly string[] = Object.values(ADAPTERS).flatMap(({ proposals = [] }) => proposals);

/** Connects to the place of the repository. Without anything set for it, nothing is known of it. */
export async function connectForge(settings: ForgeSettings, time: ForgeTime): Promise<ForgeConnection> {
  for (const adapter of Object.values(ADAPTERS)) {
    const connection = await adapter.connect(settings, time);
    if (connection !== undefined) return connection;
  }
  return {};
}

/** Describes how pushes are noticed, and how soon: one sentence without its end. `docs/operations.md` has a table of the delays. */
export function describeDelay({
  config: { fetchInterval },
  upstream,
  connection,
}: {
  /** Seconds between looks at the repository. */
  readonly config: { readonly fetchInterval: number };
  readonly upstream: Pick<Upstream, "path">;
  readonly connection: Pick<ForgeConnection, "createWebhooks">;
}): string {
  const every = `every ${fetchInterval} s`;
  if (connection.createWebhooks !== undefined) {
    return `Pushes are noticed by webhooks, mostly within a second; the repository is also read ${every}`;
  }
  if (upstream.path !== undefined) {
    return `Pushes are noticed at once, because the folder is watched; the repository is also read ${every}`;
  }
  return `Pushes are noticed by polling: the repository is read ${every} (CAIRN_FETCH_INTERVAL)`;
}

/** Adds what forges say of a repository. Of git's ways to a host, only https takes tokens; ssh has its own keys. */
export function withForge(upstream: Upstream, { loadToken }: ForgeConnection): Upstream {
  const takesToken = loadToken !== undefined && /^https?:/i.test(upstream.address);
  return { ...upstream, proposals: PROPOSALS, ...(takesToken && { loadToken }) };
}

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
