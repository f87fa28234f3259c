import { judgeClaim } from "../semver/judge-claim.ts";
import type { Config } from "../config/config.ts";
import { followChecks } from "../examples/follow-checks.ts";
import { fingerprintRules } from "../json/fingerprint.ts";
import { createWebhooks, type Webhooks } from "../forge/github/receive-webhook.ts";
import { createForgeTime, type ForgeTime } from "../forge/github/forge-time.ts";
import { createNudges } from "../forge/nudges.ts";
import { loadWebhookSecret } from "../forge/github/verify-webhook.ts";
import type { Store } from "../store/store.ts";
import type { Git } from "../versions/git/git.ts";
import { readUpstream, type Upstream } from "../versions/git/upstream.ts";
import type { createLoader } from "../versions/load-version.ts";
import { createEmbeddedOrigin } from "../versions/registry/embedded.ts";
import { openRegistry } from "../versions/registry/registry.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import { type OpenedForge, openForge } from "./open-forge.ts";
import { type GitHubAccount, openGitHubAccount } from "../forge/github/open-account.ts";

/** The repository that is served: what it has, what changes it, and who tells of it. */
export interface Repository {
  /** Its address, without credentials. */
  readonly shown: string;
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
  /** What relative paths of repositories are relative to. */
  readonly folder: string;
  /** The checkout whose history the embedded repository begins with. */
  readonly checkout: string;
  readonly now: () => number;
  /** What requests to GitHub wait by. Absent: the machine's own time. */
  readonly forgeTime?: ForgeTime;
  readonly onError: (error: unknown) => void;
}

export async function openRepository(options: RepositoryOptions): Promise<Repository> {
  const { config, git, store, loader, checkout, now, onError } = options;
  const time = options.forgeTime ?? createForgeTime(now);
  const { data } = config;
  const address = config.repository ?? (await createEmbeddedOrigin({ git, data, checkout, ...loader }));
  const github = config.github === undefined ? undefined : await openGitHubAccount(config.github, time);
  const secret = config.webhooks === undefined ? undefined : await loadWebhookSecret(config.webhooks);
  const upstream = withToken(readUpstream(address, options.folder), github);
  const registry = await openRegistry({
    git,
    upstream,
    data,
    store,
    ...loader,
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
    const { nudge, onNudge } = createNudges(onError);
    const forge = await openForge({ config, git, store, upstream, registry, github, onNudge, now, time });
    const pollMs = config.fetchInterval * 1000;
    const place = { git, gitDir: registry.mirror, store };
    const followed =
      forge.forge === undefined || forge.reporter === undefined
        ? undefined
        : followChecks({ ...place, forge: forge.forge, reporter: forge.reporter, onNudge, pollMs, now, onError });
    const { webhooks: hook } = config;
    const webhooks =
      hook === undefined || secret === undefined
        ? undefined
        : createWebhooks({
            secret,
            repository: `${hook.owner}/${hook.repo}`,
            store,
            refresh: registry.refresh,
            nudge,
            onError,
          });
    const close = async () => {
      await followed?.close();
      await registry.close();
      await webhooks?.settled();
    };
    return { shown: upstream.shown, registry, forge, ...(webhooks === undefined ? {} : { webhooks }), close };
  } catch (error) {
    await registry.close();
    throw error;
  }
}

/** Of git's ways to GitHub, only https takes tokens; ssh has its own keys. */
function withToken(upstream: Upstream, github: GitHubAccount | undefined): Upstream {
  if (github === undefined || !/^https?:/i.test(upstream.address)) return upstream;
  return { ...upstream, loadToken: github.access.loadToken };
}
