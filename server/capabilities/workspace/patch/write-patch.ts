import type { FilePatch } from "./read-patch.ts";
import type { Hunk } from "./read-hunks.ts";

/**
 * The patch as git reads it, made from what was understood of it: git gets to see nothing that was not, and so cannot
 * take it in another way. `executable` is what each file is before the patch.
 */
export function writePatch(patches: readonly FilePatch[], isExecutable: (path: string) => boolean): string {
  return patches
    .map((patch) => [...headersOf(patch, isExecutable), ...patch.hunks.flatMap(toLines), ""].join("\n"))
    .join("");
}

function headersOf(patch: FilePatch, isExecutable: (path: string) => boolean): readonly string[] {
  const { change, path, from = path, executable, hunks } = patch;
  const mode = (bit: boolean) => (bit ? "100755" : "100644");
  const headers = [`diff --git a/${from} b/${path}`];
  if (change === "added") headers.push(`new file mode ${mode(executable === true)}`);
  else if (change === "deleted") headers.push(`deleted file mode ${mode(isExecutable(from))}`);
  else if (executable !== undefined && executable !== isExecutable(from)) {
    headers.push(`old mode ${mode(!executable)}`, `new mode ${mode(executable)}`);
  }
  if (change === "renamed") headers.push(`rename from ${from}`, `rename to ${path}`);
  if (hunks.length === 0) return headers;
  // A name with a blank ends with a tab, as git writes it: else a time could follow.
  const end = (name: string) => (name.includes(" ") ? "\t" : "");
  const old = change === "added" ? "/dev/null" : `a/${from}${end(from)}`;
  const after = change === "deleted" ? "/dev/null" : `b/${path}${end(path)}`;
  return [...headers, `--- ${old}`, `+++ ${after}`];
}

function toLines(hunk: Hunk): readonly string[] {
  const { start, newStart, before, after, lines } = hunk;
  return [`@@ -${start},${before.length} +${newStart},${after.length} @@`, ...lines];
}
