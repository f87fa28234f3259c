import { defined } from "../../json/defined.ts";
import { NO_FORGE } from "../../config/config-forge.ts";
import { CairnError } from "../../errors.ts";
import type { Git } from "../../versions/git/git.ts";
import type { ForgeAdapter, InspectPlace, NoForge, OpenForge, OpenForgeOptions } from "../adapter.ts";
import type { Forge } from "../forge.ts";
import type { LocalForgeConfig } from "./config.ts";
import { checkVersion, findWritable } from "./local-repository.ts";
import { describeRequired, openLocalForge } from "./open-local-forge.ts";

/** Milliseconds between looks at a forge on this machine, which cost little. */
const POLL_MS = 250;

/** A repository on this machine, which git alone changes. */
export const LOCAL_ADAPTER: ForgeAdapter = Object.freeze({
  kind: "local",
  delivers: false,
  connect: async ({ forge }) => {
    if (forge.kind !== "local") return undefined;
    const { required } = forge;
    return {
      opener: {
        pollMs: POLL_MS,
        required,
        inspect: (place) => inspect(forge, place),
        open: (options) => open(forge, options),
      },
    };
  },
} satisfies ForgeAdapter);

async function inspect({ required, isChosen }: LocalForgeConfig, { git, upstream, branch }: InspectPlace) {
  if (upstream !== undefined && !isChosen) {
    const why = await findReserve(git, upstream.path);
    if (why !== undefined) return { why };
  }
  try {
    await checkVersion(git);
    if (upstream?.path !== undefined) await findWritable(git, upstream.path);
  } catch (error) {
    return orWhy(isChosen, error);
  }
  return { ...defined({ branch }), ...describeRequired(required) };
}

async function open(
  { required, isChosen }: LocalForgeConfig,
  { git, store, upstream, registry, now }: OpenForgeOptions,
): Promise<OpenForge | NoForge> {
  const { path } = upstream;
  if (path === undefined) return { why: NO_FORGE };
  const openNow = () => openLocalForge({ git, store, path, copy: registry.mirror, required, now });
  if (!(await isRepository(git, path))) {
    return {
      forge: openLater(async () => {
        if (!(await isRepository(git, path))) throw new CairnError("UNAVAILABLE", `\`${path}\` cannot be read.`);
        const why = isChosen ? undefined : await findReserve(git, path);
        if (why !== undefined) throw new CairnError("UNAVAILABLE", why);
        return openNow();
      }),
    };
  }
  const why = isChosen ? undefined : await findReserve(git, path);
  if (why !== undefined) return { why };
  try {
    return { forge: await openNow() };
  } catch (error) {
    return orWhy(isChosen, error);
  }
}

function isRepository(git: Git, path: string): Promise<boolean> {
  return git.run(["-C", path, "rev-parse", "--git-dir"]).then(
    () => true,
    () => false,
  );
}

/** A forge of a repository that is away while the service starts from its copy. Each use looks for it, until it is there. */
function openLater(openNow: () => Promise<Forge>): Forge {
  let opened: Forge | undefined;
  const get = async () => (opened ??= await openNow());
  return Object.freeze<Forge>({
    sync: async (commits) => (await get()).sync(commits),
    propose: async (proposal) => (await get()).propose(proposal),
    find: async (key) => (await get()).find(key),
    revise: async (...args) => (await get()).revise(...args),
    status: async (change) => (await get()).status(change),
    checks: async (oid) => (await get()).checks(oid),
    report: async (...args) => (await get()).report(...args),
    land: async (...args) => (await get()).land(...args),
    refresh: async (change) => (await get()).refresh(change),
    rerun: async (...args) => (await get()).rerun(...args),
    abandon: async (...args) => (await get()).abandon(...args),
    isOpen: async (number) => (await get()).isOpen(number),
    inspect: async (branch) => (await get()).inspect(branch),
    tag: async (...args) => (await get()).tag(...args),
  });
}

/** Says all that has to be so before a change can land, so that nobody finds it out one by one. */
const ONLY_WHERE =
  "so it is changed only where CAIRN_FORGE=local says so, and while the branch that changes land on is not checked out there (`git switch --detach` leaves it)";

/** Finds why a repository is not changed unless settings choose to: it is elsewhere, or people work in it. */
async function findReserve(git: Git, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return NO_FORGE;
  const isBare = (await git.run(["-C", path, "rev-parse", "--is-bare-repository"])).trim() === "true";
  return isBare ? undefined : `People work in \`${path}\`, ${ONLY_WHERE}.`;
}

/** Throws the error of a forge that was chosen. What can serve and not change leaves out a forge that was only assumed. */
function orWhy(isChosen: boolean, error: unknown): NoForge {
  if (isChosen || !(error instanceof CairnError)) throw error;
  return { why: error.message, isFault: true };
}
