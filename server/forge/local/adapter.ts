import { defined } from "../../json/defined.ts";
import { NO_FORGE } from "../../config/config-forge.ts";
import { CairnError } from "../../errors.ts";
import type { Git } from "../../versions/git/git.ts";
import type { ForgeAdapter, OpenForge, OpenForgeOptions } from "../adapter.ts";
import type { LocalForgeConfig } from "./config.ts";
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
        inspect: async (branch) => ({ ...defined({ branch }), ...describeRequired(required) }),
        open: (options) => open(forge, options),
      },
    };
  },
} satisfies ForgeAdapter);

async function open(
  { required, isChosen }: LocalForgeConfig,
  { git, store, upstream, now }: OpenForgeOptions,
): Promise<OpenForge | { readonly why: string }> {
  const { path } = upstream;
  if (path === undefined) return { why: NO_FORGE };
  if (!isChosen && !(await isBare(git, path))) {
    return { why: `People work in \`${path}\`, so it is changed only where CAIRN_FORGE=local says so.` };
  }
  try {
    return { forge: await openLocalForge({ git, store, path, required, now }) };
  } catch (error) {
    // An old git can serve, and not change.
    if (isChosen || !(error instanceof CairnError)) throw error;
    return { why: error.message };
  }
}

async function isBare(git: Git, path: string): Promise<boolean> {
  return (await git.run(["-C", path, "rev-parse", "--is-bare-repository"])).trim() === "true";
}
