import { CairnError } from "../../../errors.ts";
import type { Git } from "../../../versions/git/git.ts";
import { RUN_REFS } from "../../../versions/mirror/refs.ts";

/** The name under which the local copy keeps what a run has committed; until then, what it was made from. */
export interface RunRef {
  read(): Promise<string | undefined>;
  /** Rejects with CONFLICT when it is not at `from`; `undefined` means that there is none. */
  move(from: string | undefined, to: string): Promise<void>;
  remove(): Promise<void>;
}

export function createRunRef(git: Git, gitDir: string, runId: string): RunRef {
  const ref = `${RUN_REFS}${runId}`;
  const run = (args: readonly string[]) => git.run([`--git-dir=${gitDir}`, ...args]);
  const read = async () => {
    const found = (await run(["for-each-ref", "--format=%(objectname)", ref])).trim();
    return found === "" ? undefined : found;
  };
  return Object.freeze({
    read,
    move: async (from: string | undefined, to: string) => {
      await run(["update-ref", "--no-deref", ref, to, from ?? "0".repeat(to.length)]).catch(async (cause: unknown) => {
        if ((await read()) === from) throw cause;
        throw new CairnError("CONFLICT", `The run \`${runId}\` is at another commit than it was.`, { cause });
      });
    },
    remove: async () => {
      await run(["update-ref", "--no-deref", "-d", ref]);
    },
  });
}

/** Takes away those of all runs whose ids begin so. */
export async function removeRunRefs(git: Git, gitDir: string, prefix: string): Promise<void> {
  const listed = await git.run([`--git-dir=${gitDir}`, "for-each-ref", "--format=%(refname)", `${RUN_REFS}${prefix}*`]);
  const refs = listed.split("\n").filter((ref) => ref !== "");
  if (refs.length === 0) return;
  const input = refs.map((ref) => `delete ${ref}\0\0`).join("");
  await git.run([`--git-dir=${gitDir}`, "update-ref", "--stdin", "-z", "--no-deref"], { input });
}
