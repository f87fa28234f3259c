import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CairnError } from "../../../errors.ts";
import { beneath, refuseCollision } from "../beneath.ts";
import { findRegular, readBytes, tooLarge } from "../files.ts";
import type { WorkspaceGit } from "../git/workspace-git.ts";
import { WORKSPACE_LIMITS } from "../limits.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import { type HunkReport, explainHunks } from "./explain-hunks.ts";
import { type FileChanges, changeTogether } from "./pending.ts";
import { type FilePatch, readPatch } from "./read-patch.ts";
import { writePatch } from "./write-patch.ts";

export interface PatchReport {
  /** All of it, or nothing. */
  readonly applied: boolean;
  readonly files: readonly FileReport[];
}

export interface FileReport {
  readonly path: string;
  /** Of a renamed file: its name before. */
  readonly from?: string;
  readonly change: FilePatch["change"];
  readonly status: HunkReport["status"];
  /** Reason of the rejection. */
  readonly reason?: string;
  readonly hunks: readonly HunkReport[];
}

/** A patch of one file with the file as it is before. */
interface Prepared {
  readonly patch: FilePatch;
  readonly bytes: Buffer;
  readonly executable: boolean;
  readonly reason?: string;
}

/**
 * Applies a unified diff whole, or not at all. Rejects with BAD_REQUEST what is malformed or would leave the workspace;
 * what merely does not fit the files as they are is told in the report.
 */
export async function applyPatch(options: {
  readonly folder: WorkspaceFolder;
  readonly git: WorkspaceGit;
  readonly text: string;
}): Promise<PatchReport> {
  const { folder, git, text } = options;
  const prepared: Prepared[] = [];
  for (const patch of readPatch(text)) prepared.push(await prepare(folder.tree, patch));
  if (prepared.some(({ reason }) => reason !== undefined)) return explain(prepared, "");
  const scratch = join(folder.temporary, randomBytes(12).toString("hex"));
  try {
    const refused = await patchCopies({ git, folder, scratch, prepared });
    if (refused !== undefined) return explain(prepared, refused);
    await changeTogether(folder, await readChanges(scratch, prepared));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return toReport(prepared, true, explainFits(prepared));
}

async function prepare(tree: string, patch: FilePatch): Promise<Prepared> {
  const { path, from } = patch;
  if (from !== path && (await isTaken(tree, path))) {
    return { patch, bytes: Buffer.alloc(0), executable: false, reason: "The file exists already." };
  }
  if (from === undefined) return { patch, bytes: Buffer.alloc(0), executable: patch.executable === true };
  try {
    return { patch, ...(await readBytes(tree, from, WORKSPACE_LIMITS.readBytes)) };
  } catch (error) {
    if (!(error instanceof CairnError) || error.name !== "NOT_FOUND") throw error;
    return { patch, bytes: Buffer.alloc(0), executable: false, reason: "There is no such file." };
  }
}

/** Checks that a path for a new file is taken; rejects where no file may be. */
async function isTaken(tree: string, path: string): Promise<boolean> {
  const look = beneath(tree, path, async (place) => {
    if ((await findRegular(place, path)) !== undefined) return true;
    await refuseCollision(place.folder, place.name, path);
    return false;
  });
  return look.catch((error: unknown) => {
    if (error instanceof CairnError && error.name === "NOT_FOUND") return false;
    throw error;
  });
}

/** Has git patch copies of the files in a folder that no command ever saw; what git says when it does not fit. */
async function patchCopies(options: {
  readonly git: WorkspaceGit;
  readonly folder: WorkspaceFolder;
  readonly scratch: string;
  readonly prepared: readonly Prepared[];
}): Promise<string | undefined> {
  const { git, folder, scratch, prepared } = options;
  await mkdir(scratch);
  const executable = new Map(prepared.map(({ patch, executable: bit }) => [patch.from ?? patch.path, bit]));
  for (const { patch, bytes, executable: bit } of prepared) {
    if (patch.from === undefined) continue;
    const copy = join(scratch, patch.from);
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, bytes);
    await chmod(copy, bit ? 0o755 : 0o644);
  }
  const changing = prepared.filter((one) => !isIdle(one)).map(({ patch }) => patch);
  if (changing.length === 0) return undefined;
  const input = writePatch(changing, (path) => executable.get(path) === true);
  try {
    // Fails before it writes anything unless all of it fits.
    await git.run(["apply", "--whitespace=nowarn", "-"], {
      tree: scratch,
      index: join(folder.temporary, "none"),
      input,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof CairnError) || error.name !== "INTERNAL_ERROR") throw error;
    return error.message;
  }
}

/** Checks that a patch changes nothing: it only sets an executable bit that is set already, or clears one that is not. */
function isIdle({ patch, executable }: Prepared): boolean {
  return patch.change === "modified" && patch.hunks.length === 0 && patch.executable === executable;
}

async function readChanges(scratch: string, prepared: readonly Prepared[]): Promise<FileChanges> {
  const removes = prepared.flatMap(({ patch: { change, from } }) =>
    from !== undefined && (change === "deleted" || change === "renamed") ? [from] : [],
  );
  const writes: FileChanges["writes"][number][] = [];
  for (const { patch } of prepared.filter((one) => one.patch.change !== "deleted")) {
    const result = join(scratch, patch.path);
    const bytes = await readFile(result);
    if (bytes.length > WORKSPACE_LIMITS.writeBytes)
      throw tooLarge(patch.path, bytes.length, WORKSPACE_LIMITS.writeBytes);
    writes.push({ path: patch.path, bytes, executable: ((await stat(result)).mode & 0o100) !== 0 });
  }
  return { writes, removes };
}

function explainFits(prepared: readonly Prepared[]): readonly (readonly HunkReport[])[] {
  return prepared.map(({ patch, bytes }) => explainHunks(bytes.toString("utf8"), patch.hunks));
}

/** The report of a patch that was not applied; `refused` is what git said of it. */
function explain(prepared: readonly Prepared[], refused: string): PatchReport {
  const hunks = explainFits(prepared);
  const isExplained = prepared.some(({ reason }, at) => reason !== undefined || hasRejected(hunks[at]));
  if (isExplained) return toReport(prepared, false, hunks);
  // Git is stricter about the ends of files than the search for lines is.
  const blamed = prepared.filter(
    ({ patch }) => refused.includes(patch.path) || refused.includes(patch.from ?? patch.path),
  );
  const named = blamed.length === 0 ? prepared : blamed;
  const reasoned = prepared.map((one) => (named.includes(one) ? { ...one, reason: refused } : one));
  return toReport(reasoned, false, hunks);
}

function toReport(
  prepared: readonly Prepared[],
  applied: boolean,
  hunks: readonly (readonly HunkReport[])[],
): PatchReport {
  const files = prepared.map(({ patch: { path, from, change }, reason }, at): FileReport => {
    const reports = (hunks[at] ?? []).map((hunk) => (applied ? { ...hunk, status: "applied" as const } : hunk));
    const isRejected = reason !== undefined || hasRejected(reports);
    const why = reason ?? (isRejected ? "Some hunks do not fit the file." : undefined);
    return {
      path,
      ...(from !== undefined && from !== path && { from }),
      change,
      status: applied ? "applied" : isRejected ? "rejected" : "fits",
      ...(!applied && why !== undefined && { reason: why }),
      hunks: reason === "There is no such file." ? [] : reports,
    };
  });
  return { applied, files };
}

function hasRejected(hunks: readonly HunkReport[] | undefined): boolean {
  return hunks?.some(({ status }) => status === "rejected") === true;
}
