import { resolve } from "node:path";
import { CairnError } from "../../errors.ts";
import type { Drift, DriftState, ImportName } from "../../imports/drift/drift.ts";
import { type Settled, settleChange } from "../../imports/drift/settle-change.ts";
import { loadGit } from "../../versions/git/git.ts";
import type { CommandContext } from "../command.ts";
import { putFiles } from "../import/put-files.ts";
import { measureDrift } from "./check-import.ts";
import type { KnownImport } from "../../imports/drift/list-imports.ts";
import { withChangePlace } from "./open-change-place.ts";
import { openScratch } from "./open-scratch.ts";
import { loadStates } from "../../imports/drift/saved-drift.ts";

/** Outcome of proposing for one import; or why it could not be done. */
export type Proposed = ImportName &
  ({ readonly settled: Settled } | { readonly settled?: never; readonly reason: string });

/** Brings the change of each import on the forge to where its state says. A failed one stays as it is, and stops no other. */
export async function proposeDrifts(
  context: CommandContext,
  states: readonly DriftState[],
): Promise<readonly Proposed[]> {
  const sure = states.filter(({ state }) => state !== "failed");
  if (sure.length === 0) return [];
  const from = await readHead(context);
  return withChangePlace(context, async (place) => {
    const proposed: Proposed[] = [];
    for (const one of sure) {
      const { kind, name } = one;
      try {
        const drift = one.state === "drifted" ? one.drift : undefined;
        proposed.push({ kind, name, settled: await settleChange({ ...place, from }, one, drift) });
      } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        proposed.push({ kind, name, reason: error.message });
      }
    }
    return proposed;
  });
}

/** Reads states that another job has saved, and measures here what their files mean: that job is not believed. */
export async function measureSaved(
  context: CommandContext,
  path: string,
  known: readonly KnownImport[],
): Promise<readonly DriftState[]> {
  const handed = await loadStates(resolve(context.folder, path), await readHead(context), known);
  const states: DriftState[] = [];
  for (const [{ kind, name, from }, one] of handed) {
    const about = { kind, name, from };
    if (one.state === "failed") states.push({ ...about, ...one });
    else if (one.state === "unchanged") states.push({ ...about, state: "unchanged", unimported: [] });
    else {
      const measured = await measure(context, { ...about, ...one.drift });
      states.push(
        typeof measured === "string"
          ? { ...about, state: "failed", reason: measured }
          : { ...about, state: "drifted", drift: measured, unimported: [] },
      );
    }
  }
  return states;
}

async function measure(
  context: CommandContext,
  handed: Pick<Drift, "kind" | "name" | "from" | "fingerprint" | "notes" | "examples" | "files">,
): Promise<Drift | string> {
  const scratch = await openScratch(context, { isCommitted: true });
  try {
    await putFiles(scratch.folder, handed.files);
    return await measureDrift({ ...context, folder: scratch.folder }, scratch, handed);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return error.message;
  } finally {
    await scratch.close();
  }
}

/** Reads the commit that is checked out. @throws BAD_REQUEST */
export async function readHead({ folder, environment }: CommandContext): Promise<string> {
  const git = await loadGit({ environment });
  const found = await git.run(["-C", folder, "rev-parse", "--verify", "HEAD^{commit}"]).catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${folder}\` is no git checkout with a commit.`, { cause });
  });
  return found.trim();
}
