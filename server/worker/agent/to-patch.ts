import type { Files, TextFile } from "./folder.ts";

/** The paths that differ, in their order. */
export function listChanges(before: Files, after: Files): readonly string[] {
  const isSame = (a: TextFile | undefined, b: TextFile | undefined) =>
    a?.text === b?.text && a?.executable === b?.executable;
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => !isSame(before.get(path), after.get(path)))
    .toSorted();
}

/** A unified diff, as git writes it, which replaces each changed file as a whole. Empty: nothing differs. */
export function toPatch(before: Files, after: Files): string {
  return listChanges(before, after)
    .map((path) => toFilePatch(path, before.get(path), after.get(path)))
    .join("");
}

function toFilePatch(path: string, before: TextFile | undefined, after: TextFile | undefined): string {
  const head = [`diff --git a/${path} b/${path}`];
  if (before === undefined) head.push(`new file mode ${toMode(after)}`);
  else if (after === undefined) head.push(`deleted file mode ${toMode(before)}`);
  else if (before.executable !== after.executable) {
    head.push(`old mode ${toMode(before)}`, `new mode ${toMode(after)}`);
  }
  const [old, now] = [before?.text ?? "", after?.text ?? ""];
  if (old !== now) {
    head.push(before === undefined ? "--- /dev/null" : `--- a/${path}`);
    head.push(after === undefined ? "+++ /dev/null" : `+++ b/${path}`);
    head.push(`@@ -${toRange(old)} +${toRange(now)} @@`);
  }
  return `${head.join("\n")}\n${old === now ? "" : `${toLines("-", old)}${toLines("+", now)}`}`;
}

function toMode(file: TextFile | undefined): string {
  return file?.executable === true ? "100755" : "100644";
}

function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function toRange(text: string): string {
  const { length } = splitLines(text);
  return `${length === 0 ? 0 : 1},${length}`;
}

function toLines(mark: "-" | "+", text: string): string {
  const lines = splitLines(text).map((line) => `${mark}${line}\n`);
  return `${lines.join("")}${text === "" || text.endsWith("\n") ? "" : "\\ No newline at end of file\n"}`;
}
