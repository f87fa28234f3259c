import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { findForgeSecrets } from "../../config/config-forge.ts";
import type { ForgeConnection } from "../../forge/adapter.ts";
import { connectForge } from "../../forge/adapters.ts";
import { createForgeTime } from "../../forge/forge-time.ts";
import { type Git, loadGit, SERVE_LOCALLY } from "../../versions/git/git.ts";
import { runRemote } from "../../versions/git/run-remote.ts";
import { readUpstream, type Upstream } from "../../versions/git/upstream.ts";
import { readDefaultBranch, readRemoteRefs } from "../../versions/mirror/refs.ts";
import { type DoctorContext, fail, type Finding, ok, toReason, warn } from "./finding.ts";

/** Milliseconds for a list of a repository's refs. */
const LIST_MS = 20_000;

/** Checks git, the credentials for the repository, the way to it, and the rules of its forge. */
export async function checkRepository(context: DoctorContext): Promise<readonly Finding[]> {
  const { config, environment, folder, now } = context;
  let git: Git;
  try {
    git = await loadGit({ environment });
  } catch (error) {
    return [fail("git.program", `${toReason(error)}.`, "Install it: `apt-get install git`.")];
  }
  const found: Finding[] = [ok("git.program", "git is new enough.")];
  if (config.repository === undefined) return [...found, ok("git.access", "The repository is in the data folder.")];
  let connection: ForgeConnection;
  try {
    connection = await connectForge(config, createForgeTime(now));
  } catch (error) {
    const advice = "Write the credential to that file, readable by the service's account, or correct the variable.";
    return [...found, fail("forge.credentials", `${toReason(error)}.`, advice)];
  }
  found.push(...(await checkSecretFiles(config)));
  const upstream = readUpstream(config.repository, folder);
  const { loadToken } = connection;
  const withToken = loadToken && /^https?:/i.test(upstream.address) ? { ...upstream, loadToken } : upstream;
  const access = await checkAccess(git, withToken, config);
  found.push(access.finding);
  if (access.branch === undefined) return found;
  const branch = config.baseBranch ?? access.branch;
  return [...found, ...(await checkForge(context, git, withToken, connection, branch)), checkDelay(config, connection)];
}

/** Checks that no other account may read the files of secrets. */
async function checkSecretFiles(config: Config): Promise<readonly Finding[]> {
  const files = findForgeSecrets(config).flatMap((one) => ("file" in one ? [one.file] : []));
  const modes = await Promise.all(files.map(async (file) => ({ file, mode: (await stat(file)).mode & 0o777 })));
  return modes
    .filter(({ mode }) => (mode & 0o007) !== 0)
    .map(({ file }) =>
      warn("forge.credentials", `Every account of this machine may read \`${file}\`.`, `Run: chmod o-rwx '${file}'`),
    );
}

async function checkAccess(
  git: Git,
  upstream: Upstream,
  { baseBranch }: Config,
): Promise<{ readonly finding: Finding; readonly branch?: string }> {
  const serving = upstream.path === undefined ? [] : [SERVE_LOCALLY];
  const args = ["ls-remote", "--symref", ...serving, "--", upstream.address];
  let output: string;
  try {
    output = await runRemote(git, upstream, args, { timeoutMs: LIST_MS });
  } catch (error) {
    const reason = toReason(error);
    return { finding: fail("git.access", `\`${upstream.shown}\` cannot be read: ${reason}.`, toAccessAdvice(reason)) };
  }
  const refs = readRemoteRefs(output, upstream);
  const tags = [...refs.keys()].filter((ref) => ref.startsWith("refs/tags/")).length;
  const branch = readDefaultBranch(output)?.replace("refs/heads/", "") ?? "main";
  const shown = `\`${upstream.shown}\` can be read: ${tags} version tags, default branch \`${branch}\``;
  if (tags === 0) {
    const advice = "Tag a commit: `cairn release --push` in a checkout; only tagged commits are served.";
    return { finding: warn("git.access", `${shown}.`, advice), branch };
  }
  if (baseBranch !== undefined && !refs.has(`refs/heads/${baseBranch}`)) {
    const advice = "Correct CAIRN_FORGE_BRANCH, or leave it out.";
    return { finding: fail("git.access", `${shown}, but no branch \`${baseBranch}\`.`, advice) };
  }
  return { finding: ok("git.access", `${shown}.`), branch };
}

function toAccessAdvice(reason: string): string {
  if (/could not read (?:Username|Password)|Authentication failed|Permission denied|403|publickey/i.test(reason)) {
    return "Give a credential that may read it (CAIRN_GITHUB_TOKEN, a GitHub App, or a deploy key for ssh), or renew the one that is set.";
  }
  if (/not found|does not exist|does not appear to be a git repository|404/i.test(reason)) {
    return "Correct CAIRN_REPO. Hosts also answer so for a private repository and a credential that may not read it.";
  }
  if (/Host key verification/i.test(reason)) {
    return "Add the host's key to the service account's `~/.ssh/known_hosts`: `ssh-keyscan` prints it; compare it with the one that the host publishes.";
  }
  return "See whether this machine reaches the host: name resolution, firewall, proxy (`https_proxy`), certificates.";
}

/** Asks a host for the rules of the branch that changes land on. */
async function checkForge(
  { config, openStore, now }: DoctorContext,
  git: Git,
  upstream: Upstream,
  { opener }: ForgeConnection,
  branch: string,
): Promise<readonly Finding[]> {
  if (opener === undefined) {
    const why = config.forge.kind === "none" ? config.forge.why : "Nothing here can change the repository.";
    return [ok("forge.rules", `The Architect changes nothing: ${why}`)];
  }
  const scratch = await mkdtemp(join(tmpdir(), "cairn-doctor-"));
  try {
    const mirror = join(scratch, "mirror.git");
    await git.run(["init", "--quiet", "--bare", "--template=", "--", mirror]);
    const store = await openStore(join(scratch, "store"));
    try {
      const refresh = () => Promise.reject(new TypeError("the doctor changes nothing"));
      const opened = await opener.open({ git, store, upstream, registry: { mirror, refresh }, now });
      if ("why" in opened) return [ok("forge.rules", `The Architect changes nothing: ${opened.why}`)];
      const { rules, problems } = await opened.forge.inspect(branch);
      const advice = "Change the rules of the branch, or the account that Cairn has there (docs/forge.md).";
      return [
        ok("forge.rules", `Rules of \`${branch}\`: ${rules.length === 0 ? "none" : rules.join("; ")}.`),
        ...problems.map((problem) => warn("forge.rules", problem, advice)),
      ];
    } finally {
      await store.admin.close();
    }
  } catch (error) {
    const advice = "Give a credential that may read and change the repository (docs/forge.md lists its permissions).";
    return [fail("forge.rules", `The forge cannot be asked: ${toReason(error)}.`, advice)];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Names the delay with which a push is noticed. */
function checkDelay({ repository, fetchInterval, forgeHost }: Config, { createWebhooks }: ForgeConnection): Finding {
  if (createWebhooks !== undefined) return ok("git.delay", "Pushes are noticed by webhooks, within about a second.");
  const every = `Pushes are noticed within ${fetchInterval} s`;
  if (forgeHost === undefined) {
    const isWatched = repository !== undefined && !/^[^/]+:/.test(repository);
    return ok("git.delay", isWatched ? "Pushes are noticed at once: the folder is watched." : `${every}.`);
  }
  const advice = "Set up a webhook and CAIRN_GITHUB_WEBHOOK_SECRET to have them within a second (docs/forge.md).";
  return warn("git.delay", `${every}: there is no webhook.`, advice);
}
