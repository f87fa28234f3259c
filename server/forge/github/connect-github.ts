import type { ForgeSettings } from "../../config/config-forge.ts";
import type { ForgeConnection, ForgeOpener, WebhookOptions } from "../adapter.ts";
import type { ForgeTime } from "../forge-time.ts";
import { openLocalRepository } from "../local/local-repository.ts";
import { type GitHubAccess, openGitHubAccess } from "./access.ts";
import type { GitHubConfig, GitHubForgeConfig, GitHubHostConfig } from "./config.ts";
import type { GitHubRepository } from "./configure-octokit.ts";
import { createMirrorCopy } from "./local-copy.ts";
import { createGitHubApi } from "./github-api.ts";
import { openGitHub } from "./open-github.ts";
import { openGitHubForge, toReportsAs } from "./open-github-forge.ts";
import { inspectRules, loadDefaultBranch } from "./rules/inspect-rules.ts";
import { createWebhooks } from "./webhooks/receive-webhook.ts";
import { loadWebhookSecret } from "./webhooks/verify-webhook.ts";
import { defined } from "../../json/defined.ts";

/** Milliseconds for one request to GitHub. */
const TIMEOUT_MS = 30_000;

/** Connects to the repository of the settings, which are of GitHub. */
export async function connectGitHub(
  { account, webhooks }: GitHubHostConfig,
  forge: ForgeSettings["forge"],
  time: ForgeTime,
): Promise<ForgeConnection> {
  const opened = account && (await openAccount(account, time));
  const secret = webhooks && (await loadWebhookSecret(webhooks));
  return {
    ...(opened && { loadToken: opened.access.loadToken }),
    ...(opened && forge.kind === "github" && { opener: createOpener(forge, opened, time) }),
    ...(webhooks &&
      secret !== undefined && {
        createWebhooks: (options: WebhookOptions) =>
          createWebhooks({ ...options, secret, repository: `${webhooks.owner}/${webhooks.repo}` }),
      }),
  };
}

/** The repository on GitHub, with the credentials that let Cairn in there. */
interface GitHubAccount {
  readonly repository: GitHubRepository;
  readonly access: GitHubAccess;
}

async function openAccount({ owner, repo, api, identity }: GitHubConfig, time: ForgeTime): Promise<GitHubAccount> {
  const repository = { owner, repo, ...defined({ baseUrl: api }), timeoutMs: TIMEOUT_MS };
  return { repository, access: await openGitHubAccess({ ...repository, identity, time }) };
}

function createOpener(
  { interval, mergeMethod, autoMerge, reviewers }: GitHubForgeConfig,
  { repository, access }: GitHubAccount,
  time: ForgeTime,
): ForgeOpener {
  return {
    pollMs: interval * 1000,
    async inspect({ branch }) {
      const { owner, repo } = repository;
      const api = createGitHubApi(openGitHub(repository, access), time);
      const about = { api, owner, repo, mergeMethod, reviewers, reportsAs: toReportsAs(access) };
      const base = branch ?? (await loadDefaultBranch(about));
      return { branch: base, ...(await inspectRules(about, base)) };
    },
    async open({ git, registry, now }) {
      const copy = createMirrorCopy(await openLocalRepository(git, registry.mirror, now), registry);
      const forge = openGitHubForge({ ...repository, access, copy, time, mergeMethod, autoMerge, reviewers });
      return { forge, reporter: `${repository.owner}/${repository.repo}` };
    },
  };
}
