import { defined } from "../../json/defined.ts";
import { NO_FORGE } from "../../config/config-forge.ts";
import { CairnError } from "../../errors.ts";
import type { Git } from "../../versions/git/git.ts";
import type { ForgeAdapter, InspectPlace, OpenForge, OpenForgeOptions } from "../adapter.ts";
import type { LocalForgeConfig } from "./config.ts";
import { checkVersion } from "./local-repository.ts";
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
  } catch (error) {
    return orWhy(isChosen, error);
  }
  return { ...defined({ branch }), ...describeRequired(required) };
}

async function open(
  { required, isChosen }: LocalForgeConfig,
  { git, store, upstream, now }: OpenForgeOptions,
): Promise<OpenForge | { readonly why: string }> {
  const { path } = upstream;
  const why = isChosen ? undefined : await findReserve(git, path);
  if (path === undefined || why !== undefined) return { why: why ?? NO_FORGE };
  try {
    return { forge: await openLocalForge({ git, store, path, required, now }) };
  } catch (error) {
    return orWhy(isChosen, error);
  }
}

/** Finds why a repository is not changed unless settings choose to: it is elsewhere, or people work in it. */
async function findReserve(git: Git, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return NO_FORGE;
  const isBare = (await git.run(["-C", path, "rev-parse", "--is-bare-repository"])).trim() === "true";
  return isBare ? undefined : `People work in \`${path}\`, so it is changed only where CAIRN_FORGE=local says so.`;
}

/** Throws the error of a forge that was chosen. An old git can serve, and not change: a forge only assumed is left out. */
function orWhy(isChosen: boolean, error: unknown): { readonly why: string } {
  if (isChosen || !(error instanceof CairnError)) throw error;
  return { why: error.message };
}
