import { randomBytes } from "node:crypto";
import { access, chmod, constants, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../../errors.ts";
import { type Place, beneath, toPathError } from "../beneath.ts";
import { refusePath } from "../check-path.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";

/** Files that come and go together. */
export interface FileChanges {
  readonly writes: readonly { readonly path: string; readonly bytes: Uint8Array; readonly executable: boolean }[];
  readonly removes: readonly string[];
}

interface Plan {
  /** The file `n` of the folder belongs to the n-th of them. */
  readonly writes: readonly string[];
  readonly removes: readonly string[];
}

const PLAN = "plan.json";

/**
 * Puts all changes in place. Everything that can go wrong is tried before the first file is touched; from then on they are
 * a plan on the disk that `finishPending` carries out, also after a crash.
 */
export async function changeTogether(folder: WorkspaceFolder, changes: FileChanges): Promise<void> {
  const unfinished = join(folder.temporary, randomBytes(12).toString("hex"));
  await mkdir(unfinished);
  try {
    for (const [at, { bytes, executable }] of changes.writes.entries()) {
      const file = join(unfinished, String(at));
      await writeFile(file, bytes, { flush: true });
      await chmod(file, executable ? 0o755 : 0o644);
    }
    const plan: Plan = { writes: changes.writes.map(({ path }) => path), removes: changes.removes };
    await writeFile(join(unfinished, PLAN), JSON.stringify(plan), { flush: true });
    for (const path of [...plan.writes, ...plan.removes]) {
      await beneath(folder.tree, path, (place) => mayWrite(place, path), { create: true });
    }
    await rename(unfinished, folder.pending);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw toPathError(error, changes.writes[0]?.path ?? changes.removes[0] ?? "");
  }
  await finishPending(folder);
}

/** Carries out what is left of a plan; does nothing when there is none. */
export async function finishPending(folder: WorkspaceFolder): Promise<void> {
  const text = await readFile(join(folder.pending, PLAN), "utf8").catch(ignoreMissing);
  if (text === undefined) return;
  const plan = readPlan(text);
  for (const path of plan.removes) {
    await beneath(folder.tree, path, (place) => rm(place.path, { force: true })).catch(ignoreMissing);
  }
  for (const [at, path] of plan.writes.entries()) {
    const file = join(folder.pending, String(at));
    // A file that is no longer there is in its place already.
    await beneath(folder.tree, path, (place) => rename(file, place.path).catch(ignoreMissing), { create: true });
  }
  const done = join(folder.temporary, randomBytes(12).toString("hex"));
  await rename(folder.pending, done);
  await rm(done, { recursive: true, force: true });
}

async function mayWrite(place: Place, path: string): Promise<void> {
  await access(place.folder, constants.W_OK).catch(() => {
    throw refusePath(path, "a command has taken away the right to write there");
  });
}

function readPlan(text: string): Plan {
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && "writes" in value && "removes" in value) {
    const { writes, removes } = value;
    if (isTexts(writes) && isTexts(removes)) return { writes, removes };
  }
  throw new CairnError("INTERNAL_ERROR", "The plan of a patch that is being put in place cannot be read.");
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function ignoreMissing(error: unknown): undefined {
  const isMissing =
    (error instanceof CairnError && error.name === "NOT_FOUND") ||
    (error instanceof Error && "code" in error && error.code === "ENOENT");
  if (!isMissing) throw error;
}
