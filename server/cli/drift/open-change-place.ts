import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createChangeReader } from "../../architect/renewals/create-change-reader.ts";
import { type Config, readConfig } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import type { NoForge, OpenForgeOptions } from "../../forge/adapter.ts";
import { connectForge, withForge } from "../../forge/adapters.ts";
import { createForgeTime } from "../../forge/forge-time.ts";
import type { SettleOptions } from "../../imports/drift/settle-change.ts";
import { type Git, loadGit, SERVE_LOCALLY } from "../../versions/git/git.ts";
import { runRemote } from "../../versions/git/run-remote.ts";
import { readUpstream, type Upstream } from "../../versions/git/upstream.ts";
import { listRemote } from "../../versions/mirror/mirror.ts";
import { readDefaultBranch } from "../../versions/mirror/refs.ts";
import type { CliContext } from "../command.ts";
import { withStore } from "../with-store.ts";

/** Refs of which changes are read, beside heads of pull requests. */
const REFS = ["refs/heads/*"];
/** Milliseconds. */
const LIST_MS = 60_000;
const FETCH_MS = 600_000;

type Place = Omit<SettleOptions, "from">;

/** Runs `work` with the forge that the settings choose, and a copy of its repository for as long. @throws BAD_REQUEST where there is none */
export async function withChangePlace<Result>(
  context: CliContext,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const { environment, folder, now } = context;
  const read = readConfig(environment);
  if (!read.ok) throw new CairnError("BAD_REQUEST", `The configuration is wrong:\n  ${read.problems.join("\n  ")}`);
  const { config } = read;
  if (config.repository === undefined)
    throw new CairnError("BAD_REQUEST", "Set CAIRN_REPO to the repository in which changes are to be proposed.");
  const mirror = await mkdtemp(join(tmpdir(), "cairn-drift-copy-"));
  try {
    const git = await loadGit({ environment });
    await git.run(["init", "--quiet", "--bare", "--template=", mirror]);
    const use = { context, command: "drift", data: config.data, create: true };
    return await withStore(use, async (store) => {
      // A command has nothing else to do while it waits, and would end.
      const time = { ...createForgeTime(now), sleep: (ms: number) => sleep(ms) };
      const connection = await connectForge(config, time);
      const upstream = withForge(readUpstream(config.repository ?? "", folder), connection);
      const refresh = () => fetchAll(git, upstream, mirror);
      const registry = toRegistry(mirror, refresh);
      const opened = await connection.opener?.open({ git, store, upstream, registry, now });
      if (opened === undefined || !("forge" in opened)) throw new CairnError("BAD_REQUEST", explain(config, opened));
      await refresh();
      const base = config.baseBranch ?? (await findDefault(git, upstream));
      const reader = createChangeReader({ git, gitDir: mirror });
      return work({ forge: opened.forge, reader, base, sleep: time.sleep });
    });
  } finally {
    await rm(mirror, { recursive: true, force: true });
  }
}

function explain({ forge }: Pick<Config, "forge">, opened: NoForge | undefined): string {
  return opened?.why ?? (forge.kind === "none" ? forge.why : `The forge \`${forge.kind}\` has no credentials.`);
}

function toRegistry(mirror: string, refresh: () => Promise<void>): OpenForgeOptions["registry"] {
  const seen = { added: [], failed: new Map<string, string>(), changed: true };
  return {
    mirror,
    refresh: () =>
      refresh().then(
        () => ({ ...seen, ok: true }),
        (error: unknown) => ({ ...seen, ok: false, message: error instanceof Error ? error.message : String(error) }),
      ),
  };
}

async function fetchAll(git: Git, upstream: Upstream, mirror: string): Promise<void> {
  const refs = [...REFS, ...(upstream.proposals ?? [])].map((ref) => `+${ref}:${ref}`);
  const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--prune"];
  const serve = upstream.path === undefined ? [] : [SERVE_LOCALLY];
  const args = [`--git-dir=${mirror}`, "fetch", ...quiet, ...serve, "--", upstream.address, ...refs];
  await runRemote(git, upstream, args, { timeoutMs: FETCH_MS });
}

async function findDefault(git: Git, upstream: Upstream): Promise<string> {
  const listed = await listRemote({ git, upstream, limits: { listMs: LIST_MS } });
  const branch = readDefaultBranch(listed)?.replace("refs/heads/", "");
  if (branch !== undefined) return branch;
  throw new CairnError("BAD_REQUEST", "The repository has no default branch; name one with CAIRN_FORGE_BRANCH.");
}
