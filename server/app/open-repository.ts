import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { judgeClaim } from "../semver/judge-claim.ts";
import type { Config } from "../config/config.ts";
import { followChecks } from "../examples/follow-checks.ts";
import type { Webhooks } from "../forge/adapter.ts";
import { connectForge, describeDelay, withForge } from "../forge/adapters.ts";
import { createForgeTime, type ForgeTime } from "../forge/forge-time.ts";
import { createNudges, shareNudges } from "../forge/nudges.ts";
import type { Nodes } from "../instance/nodes.ts";
import type { Store } from "../store/store.ts";
import type { Git } from "../versions/git/git.ts";
import { readUpstream } from "../versions/git/upstream.ts";
import type { createLoader } from "../versions/load-version.ts";
import { createEmbeddedOrigin } from "../versions/registry/embedded.ts";
import { createNeighbours } from "../versions/registry/neighbours.ts";
import { openRegistry } from "../versions/registry/registry.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import { type OpenedForge, openForge } from "./open-forge.ts";
import { defined } from "../json/defined.ts";

/** The repository that is served: what it has, what changes it, and who tells of it. */
export interface Repository {
  /** Its address, without credentials. */
  readonly shown: string;
  /** Sentence on how pushes are noticed, and how soon. */
  readonly delay: string;
  readonly registry: Registry;
  readonly forge: OpenedForge;
  /** Absent: nobody tells by itself. */
  readonly webhooks?: Webhooks;
  close(): Promise<void>;
}

export interface RepositoryOptions {
  readonly config: Config;
  readonly git: Git;
  readonly store: Store;
  readonly loader: ReturnType<typeof createLoader>;
  /** The folder that relative paths of repositories start from. */
  readonly folder: string;
  /** The checkout whose history the embedded repository begins with. */
  readonly checkout: string;
  readonly now: () => number;
  /** The time by which requests to a forge wait. Absent: the machine's own. */
  readonly forgeTime?: ForgeTime;
  /** Nodes that share the store; absent where it is this service's alone. */
  readonly nodes?: Nodes;
  /** False for a worker that leaves to the first what one of them does for all. */
  readonly isFirst: boolean;
  readonly onError: (error: unknown) => void;
}

export async function openRepository(options: RepositoryOptions): Promise<Repository> {
  const { config, git, store, loader, checkout, now, onError } = options;
  const time = options.forgeTime ?? createForgeTime(now);
  const { data } = config;
  const address = config.repository ?? (await createEmbeddedOrigin({ git, data, checkout, ...loader }));
  const connection = await connectForge(config, time);
  const upstream = withForge(readUpstream(address, options.folder), connection);
  const registry = await openRegistry({
    git,
    upstream,
    data,
    store,
    ...loader,
    ...defined({ neighbours: options.nodes && createNeighbours(store, options.nodes.self.opening, onError) }),
    judge: judgeClaim,
    fingerprint: fingerprintRules(),
    previews: config.previews,
    signers: config.tagSigners,
    now,
    random: Math.random,
    onError,
    limits: { pollMs: config.fetchInterval * 1000 },
  });
  try {
    const own = createNudges(onError);
    const shared = options.nodes && shareNudges(own, { store, ...options.nodes.self, onError });
    const { nudge, onNudge } = shared ?? own;
    const forge = await openForge({ config, git, store, upstream, registry, connection, onNudge, now });
    const pollMs = config.fetchInterval * 1000;
    const place = { git, gitDir: registry.mirror, store };
    const followed =
      !options.isFirst || forge.forge === undefined || forge.reporter === undefined
        ? undefined
        : followChecks({ ...place, forge: forge.forge, reporter: forge.reporter, onNudge, pollMs, now, onError });
    const { refresh } = registry;
    const webhooks = connection.createWebhooks?.({ store, refresh, nudge, onError });
    const close = async () => {
      shared?.close();
      await followed?.close();
      await registry.close();
      await webhooks?.settled();
    };
    const delay = describeDelay({ config, upstream, connection });
    return { shown: upstream.shown, delay, registry, forge, ...defined({ webhooks }), close };
  } catch (error) {
    await registry.close();
    throw error;
  }
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Digest of everything that decides whether a tree is good: the schemas and the code that judges by them. A verdict that
 * other rules came to must not be believed.
 */
function fingerprintRules(): string {
  const hash = createHash("sha256");
  for (const file of globSync(["schemas/*.json", "server/host-api.*", "server/{semver,versions}/**/*.{ts,js}"], {
    cwd: ROOT,
  }).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(new URL(`../../${file}`, import.meta.url)))
      .update("\0");
  }
  return hash.digest("hex");
}
