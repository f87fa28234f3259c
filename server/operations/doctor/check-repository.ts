import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../config/config.ts";
import type { ForgeConnection } from "../../forge/adapter.ts";
import { connectForge, describeDelay, inspectForge, withForge } from "../../forge/adapters.ts";
import { createForgeTime } from "../../forge/forge-time.ts";
import { type Git, loadGit } from "../../versions/git/git.ts";
import { readUpstream, type Upstream } from "../../versions/git/upstream.ts";
import { listRemote } from "../../versions/mirror/mirror.ts";
import { readDefaultBranch, readRemoteRefs } from "../../versions/mirror/refs.ts";
import { adviseOn } from "./advice.ts";
import { type DoctorContext, fail, type Finding, ok, toReason, warn } from "./finding.ts";

const UNUSED_SECRET =
  "CAIRN_GITHUB_WEBHOOK_SECRET has no effect with this address of the repository, so `/webhooks/github` answers 404.";
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
    const reason = toReason(error);
    return [...found, fail("forge.credentials", `${reason}.`, adviseOn("forge credentials", reason))];
  }
  const upstream = withForge(readUpstream(config.repository, folder), connection);
  const { finding, isReadable } = await checkAccess(git, upstream, config);
  found.push(finding);
  if (!isReadable) return found;
  const unused =
    environment["CAIRN_GITHUB_WEBHOOK_SECRET"] === undefined || connection.createWebhooks !== undefined
      ? []
      : [
          warn(
            "git.delay",
            UNUSED_SECRET,
            "Give CAIRN_REPO as the https or ssh address on GitHub, or remove the variable.",
          ),
        ];
  return [...found, ...(await checkForge(context, git, upstream)), checkDelay(config, upstream, connection), ...unused];
}

async function checkAccess(
  git: Git,
  upstream: Upstream,
  { baseBranch }: Config,
): Promise<{ readonly finding: Finding; readonly isReadable: boolean }> {
  let output: string;
  try {
    output = await listRemote({ git, upstream, limits: { listMs: LIST_MS } });
  } catch (error) {
    const reason = toReason(error);
    const found = `\`${upstream.shown}\` cannot be read: ${reason}.`;
    const finding = (await explainPath(upstream)) ?? fail("git.access", found, adviseOn("repository", reason));
    return { finding, isReadable: false };
  }
  const refs = readRemoteRefs(output, upstream);
  const tags = [...refs.keys()].filter((ref) => ref.startsWith("refs/tags/")).length;
  const branch = readDefaultBranch(output)?.replace("refs/heads/", "") ?? "main";
  const shown = `\`${upstream.shown}\` can be read: ${tags} version tags, default branch \`${branch}\``;
  if (tags === 0) {
    const advice = "Tag a commit: `cairn release --push` in a checkout; only tagged commits are served.";
    return { finding: warn("git.access", `${shown}.`, advice), isReadable: true };
  }
  if (baseBranch !== undefined && !refs.has(`refs/heads/${baseBranch}`)) {
    const advice = "Correct CAIRN_FORGE_BRANCH, or leave it out.";
    return { finding: fail("git.access", `${shown}, but no branch \`${baseBranch}\`.`, advice), isReadable: false };
  }
  return { finding: ok("git.access", `${shown}.`), isReadable: true };
}

/**
 * Explains why a repository on this machine cannot be read: git says of a folder above it that is closed, or hidden by the unit, only
 * that no repository is there. `undefined` where the way to it is open.
 */
async function explainPath({ path }: Upstream): Promise<Finding | undefined> {
  if (path === undefined) return undefined;
  const account = process.geteuid?.() ?? "?";
  const obstacle = await findObstacle(path);
  if (obstacle === undefined) return undefined;
  const { code, place } = obstacle;
  if (code === "ENOENT") {
    const found = `\`${path}\` cannot be read: for this process there is no \`${place}\`.`;
    const advice =
      "Correct CAIRN_REPO. A unit hides /home, /root and /run/user (ProtectHome) and has its own /tmp (PrivateTmp): put the repository elsewhere, such as in /srv/git.";
    return fail("git.access", found, advice);
  }
  const found = `\`${path}\` cannot be read: account ${account} may not enter \`${place}\` (${code}).`;
  const advice = `Put the repository where the service's account can read it, such as in /srv/git, and set CAIRN_REPO to it; leave \`${place}\` as it is.`;
  return fail("git.access", found, advice);
}

/** Finds the first folder on the way to a path that is not there or cannot be entered, with the system's code. */
async function findObstacle(path: string): Promise<{ readonly code: string; readonly place: string } | undefined> {
  const above = dirname(path);
  const found = above === path ? undefined : await findObstacle(above);
  return (
    found ??
    access(path, constants.X_OK).then(
      () => undefined,
      ({ code = "" }: NodeJS.ErrnoException) => ({ code, place: path }),
    )
  );
}

/** Asks a host for the rules of the branch that changes land on. */
async function checkForge({ config, now }: DoctorContext, git: Git, upstream: Upstream): Promise<readonly Finding[]> {
  try {
    const found = await inspectForge(config, { git, upstream, time: createForgeTime(now) });
    if (found.kind === "none") {
      const shown = `The Architect changes nothing: ${found.why}`;
      return [found.isFault ? warn("forge.rules", shown, adviseOn("forge", found.why)) : ok("forge.rules", shown)];
    }
    const { branch, rules, problems } = found;
    const named = branch === undefined ? "the default branch" : `\`${branch}\``;
    const advice = "Change the rules of the branch, or the account that Cairn has there (docs/forge.md).";
    return [
      ok("forge.rules", `Rules of ${named}: ${rules.length === 0 ? "none" : rules.join("; ")}.`),
      ...problems.map((problem) => warn("forge.rules", problem, advice)),
    ];
  } catch (error) {
    const reason = toReason(error);
    return [fail("forge.rules", `The forge cannot be asked: ${reason}.`, adviseOn("forge", reason))];
  }
}

/** Says how soon pushes are noticed. A host that could send webhooks and does not is worth a look. */
function checkDelay(config: Config, upstream: Upstream, connection: ForgeConnection): Finding {
  const delay = `${describeDelay({ config, upstream, connection })}.`;
  if (config.forgeHost === undefined || connection.createWebhooks !== undefined) return ok("git.delay", delay);
  return warn("git.delay", delay, "Set up a webhook to have them within a second (docs/forge.md).");
}
