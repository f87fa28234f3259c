import { CairnError } from "../../errors.ts";
import { loadGit, type RunOptions } from "../../versions/git/git.ts";
import type { CliContext } from "../command.ts";

/** The repository that a command runs in, and git on it. */
export interface Checkout {
  readonly folder: string;
  /** Runs git and returns its trimmed output; rejects with git's message. */
  git(args: readonly string[], options?: RunOptions): Promise<string>;
  /** Runs git as above; undefined where it fails: there is no such ref, file or setting. */
  find(...args: string[]): Promise<string | undefined>;
}

/** Whose commits and tags these are, where the environment says so instead of git's configuration. */
const IDENTITY = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/;

/** The repository around the folder; BAD_REQUEST where there is none. */
export async function openCheckout({ folder, environment }: CliContext): Promise<Checkout> {
  const git = await loadGit({ environment });
  const identity = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      IDENTITY.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
  const run = async (args: readonly string[], { environment: more, ...options }: RunOptions = {}) =>
    (await git.run(["-C", folder, ...args], { ...options, environment: { ...identity, ...more } })).trim();
  const find = (...args: string[]) => run(args).catch(() => undefined);
  const top = await find("rev-parse", "--show-toplevel");
  if (top === undefined) throw new CairnError("BAD_REQUEST", `\`${folder}\` is no git repository with a work tree.`);
  return { folder: top, git: run, find };
}
