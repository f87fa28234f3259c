import { CairnError } from "../../../errors.ts";
import { findPathFault, quote } from "../check-path.ts";
import { WORKSPACE_LIMITS } from "../limits.ts";
import { type Hunk, type PatchLines, readHunks } from "./read-hunks.ts";

/** Changes of a patch to one file. */
export interface FilePatch {
  readonly change: "added" | "modified" | "deleted" | "renamed";
  /** After the patch; of a deleted file, before it. */
  readonly path: string;
  /** Before the patch; absent for an added file. */
  readonly from?: string;
  /** New value of the executable bit; absent when it stays. */
  readonly executable?: boolean;
  readonly hunks: readonly Hunk[];
}

interface Header {
  old: string | undefined;
  new: string | undefined;
  change: FilePatch["change"] | undefined;
  executable: boolean | undefined;
  renamedFrom: string | undefined;
  renamedTo: string | undefined;
}

const NULL = "/dev/null";

/**
 * Reads a unified diff, with or without git's headers, far more strictly than git does: nothing but diffs of text files,
 * every path one of a workspace, every count right. Rejects with BAD_REQUEST and the line that is wrong.
 */
export function readPatch(text: string): readonly FilePatch[] {
  if (Buffer.byteLength(text) > WORKSPACE_LIMITS.patchBytes) {
    const message = `The patch has more than ${WORKSPACE_LIMITS.patchBytes} bytes.`;
    throw new CairnError("PAYLOAD_TOO_LARGE", message);
  }
  if (!text.isWellFormed() || text.includes("\0")) throw refusePatch(1, "it is not text");
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  const lines: PatchLines = { all, at: 0 };
  const patches: FilePatch[] = [];
  for (skipBlank(lines); lines.at < all.length; skipBlank(lines)) {
    if (patches.length === WORKSPACE_LIMITS.patchedFiles) {
      throw refusePatch(lines.at + 1, `it changes more than ${WORKSPACE_LIMITS.patchedFiles} files`);
    }
    patches.push(readFilePatch(lines));
  }
  if (patches.length === 0) throw refusePatch(1, "there is no diff in it");
  refuseOverlaps(patches);
  return patches;
}

function refusePatch(line: number, reason: string): CairnError {
  return new CairnError("BAD_REQUEST", `The patch is refused at line ${line}: ${reason}.`, {
    details: { line, reason },
  });
}

function readFilePatch(lines: PatchLines): FilePatch {
  const began = lines.at + 1;
  const header: Header = {
    old: undefined,
    new: undefined,
    change: undefined,
    executable: undefined,
    renamedFrom: undefined,
    renamedTo: undefined,
  };
  const first = peek(lines);
  const named = first.startsWith("diff --git ") ? readGitLine(lines) : undefined;
  if (named !== undefined) readExtendedHeaders(lines, header);
  const hasNames = peek(lines).startsWith("--- ");
  if (hasNames) readNames(lines, header);
  else if (named === undefined)
    throw refusePatch(began, "here begins neither `diff --git a/... b/...` nor `--- a/...`");
  if (named !== undefined) checkAgainst(named, header, hasNames, began);
  const hunks = hasNames ? readHunks(lines) : [];
  if (hasNames && hunks.length === 0) throw refusePatch(lines.at + 1, "here a hunk, `@@ -1,2 +1,2 @@`, was expected");
  return toFilePatch(header, hunks, began);
}

/** The path of a file whose name stays; the two of one that is renamed stand in headers of their own. */
function readGitLine(lines: PatchLines): string {
  const at = lines.at + 1;
  const names = next(lines).slice("diff --git ".length);
  if (names.includes('"')) throw refusePatch(at, "quoted paths are not taken; write them as they are");
  if (!names.startsWith("a/")) throw refusePatch(at, "the first path does not begin with `a/`");
  return names;
}

function readExtendedHeaders(lines: PatchLines, header: Header): void {
  for (; lines.at < lines.all.length; lines.at += 1) {
    const line = peek(lines);
    const at = lines.at + 1;
    const [, key = "", value = ""] =
      /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|similarity index|index) (.*)$/.exec(
        line,
      ) ?? [];
    if (key === "") {
      if (/^(?:GIT binary patch|Binary files )/.test(line)) throw refusePatch(at, "binary files cannot be patched");
      if (/^(?:copy |dissimilarity )/.test(line)) throw refusePatch(at, "copies are not taken; add the file instead");
      return;
    }
    if (key.endsWith("mode")) readMode(key, value, header, at);
    else if (key === "index" && / /.test(value)) checkMode(value.split(" ").at(-1) ?? "", at);
    else if (key === "rename from") header.renamedFrom = readPath(value, at);
    else if (key === "rename to") header.renamedTo = readPath(value, at);
  }
}

function readMode(key: string, mode: string, header: Header, at: number): void {
  const executable = checkMode(mode, at);
  if (key === "new file mode") [header.change, header.executable] = ["added", executable];
  if (key === "deleted file mode") header.change = "deleted";
  if (key === "new mode") header.executable = executable;
}

/** Checks that a mode is that of an executable file. */
function checkMode(mode: string, at: number): boolean {
  if (mode === "120000") throw refusePatch(at, "symlinks can be neither made nor changed");
  if (mode === "160000") throw refusePatch(at, "submodules can be neither made nor changed");
  if (mode !== "100644" && mode !== "100755") {
    throw refusePatch(at, `the mode ${quote(mode)} is neither \`100644\` nor \`100755\``);
  }
  return mode === "100755";
}

function readNames(lines: PatchLines, header: Header): void {
  header.old = readName(next(lines).slice(4), "a/", lines.at);
  if (!peek(lines).startsWith("+++ ")) throw refusePatch(lines.at + 1, "here `+++ b/...` was expected");
  header.new = readName(next(lines).slice(4), "b/", lines.at);
  if (header.old === undefined && header.new === undefined) throw refusePatch(lines.at, "both sides are `/dev/null`");
}

/** `undefined` for the side on which there is no file. */
function readName(text: string, prefix: string, at: number): string | undefined {
  // After a tab, diff writes the time; git, nothing.
  const name = text.replace(/\t.*$/s, "");
  if (name === NULL) return undefined;
  if (name.startsWith('"')) throw refusePatch(at, "quoted paths are not taken; write them as they are");
  if (!name.startsWith(prefix)) throw refusePatch(at, `the path ${quote(name)} does not begin with \`${prefix}\``);
  return readPath(name.slice(prefix.length), at);
}

function readPath(path: string, at: number): string {
  // Git would write such a name quoted, so it cannot be told from a quoted one.
  const fault = path.includes('"') ? "it has a quotation mark" : findPathFault(path);
  if (fault !== undefined) throw refusePatch(at, `the path ${quote(path)} cannot be one of a workspace: ${fault}`);
  return path;
}

/** Takes the names from the `diff --git` line where there are no others, and refuses one that says something else. */
function checkAgainst(named: string, header: Header, hasNames: boolean, at: number): void {
  const { renamedFrom, renamedTo } = header;
  if ((renamedFrom === undefined) !== (renamedTo === undefined)) {
    throw refusePatch(at, "of `rename from` and `rename to` one is missing");
  }
  if (!hasNames && renamedFrom === undefined) {
    const path = readPath(named.slice(2, (named.length - 1) / 2), at);
    if (header.change !== "added") header.old = path;
    if (header.change !== "deleted") header.new = path;
  } else if (!hasNames) {
    [header.old, header.new] = [renamedFrom, renamedTo];
  }
  const [left, right] = [header.old ?? header.new ?? "", header.new ?? header.old ?? ""];
  if (named !== `a/${left} b/${right}`) throw refusePatch(at, "its headers name different files");
  if (renamedFrom !== undefined && (renamedFrom !== header.old || renamedTo !== header.new)) {
    throw refusePatch(at, "its headers name different files");
  }
}

function toFilePatch(header: Header, hunks: readonly Hunk[], at: number): FilePatch {
  const { old, new: after, renamedFrom, executable } = header;
  const path = after ?? old;
  if (path === undefined) throw refusePatch(at, "it names no file");
  const change = after === undefined ? "deleted" : old === undefined ? "added" : old === after ? "modified" : "renamed";
  if (header.change !== undefined && header.change !== change)
    throw refusePatch(at, "its headers contradict each other");
  if (change === "renamed" && renamedFrom === undefined) {
    throw refusePatch(at, "its two paths differ; renaming takes `rename from` and `rename to`");
  }
  if (change === "modified" && hunks.length === 0 && executable === undefined) {
    throw refusePatch(at, "it changes nothing in this file");
  }
  if (change === "added" && hunks.some(({ before }) => before.length > 0)) {
    throw refusePatch(at, "it adds a file, yet has lines of an older one");
  }
  if (change === "deleted" && hunks.some(({ after: lines }) => lines.length > 0)) {
    throw refusePatch(at, "it deletes a file, yet leaves lines of it");
  }
  return {
    change,
    path,
    hunks,
    ...(old !== undefined && { from: old }),
    ...(executable !== undefined && { executable }),
  };
}

/** A path may stand in one place of the patch only, and not above another: else the order would decide. */
function refuseOverlaps(patches: readonly FilePatch[]): void {
  const seen = new Set<string>();
  for (const { path, from } of patches) {
    for (const name of new Set([path, from ?? path])) {
      if (seen.has(name)) throw refusePatch(1, `${quote(name)} is changed twice`);
      seen.add(name);
    }
  }
  for (const path of seen) {
    const above = path.split("/").map((_, at, names) => names.slice(0, at).join("/"));
    const clash = above.find((folder) => seen.has(folder));
    if (clash !== undefined) throw refusePatch(1, `${quote(clash)} cannot be both a file and a folder`);
  }
}

function skipBlank(lines: PatchLines): void {
  while (lines.at < lines.all.length && peek(lines) === "") lines.at += 1;
}

function peek(lines: PatchLines): string {
  return lines.all[lines.at] ?? "";
}

function next(lines: PatchLines): string {
  lines.at += 1;
  return lines.all[lines.at - 1] ?? "";
}
