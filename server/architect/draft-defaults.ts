import type { DraftDefaults } from "../capabilities/tuner/syscalls.ts";
import type { Version } from "../versions/version.ts";
import { writePatch } from "../capabilities/workspace/patch/write-patch.ts";
import { commitValues } from "./commit-values.ts";
import { createBench } from "./planners/directives/bench.ts";
import type { Ground } from "./planners/planner.ts";

/** Lines around a change, as git shows them. */
const CONTEXT = 3;

/** Drafts changes of defaults just as the Architect would make them, for people who make them themselves. */
export function createDraftDefaults(
  readText: (commit: string, path: string) => Promise<string | undefined>,
): DraftDefaults {
  return async (version, set, values) => {
    const changed = [...set.parameters].filter(([name, of]) => (values[name] ?? of.default) !== of.default);
    if (changed.length === 0) return undefined;
    const ground = toGround(version, (path) => readText(version.commit, path));
    const bench = createBench(ground);
    await commitValues(bench, set, values);
    const before = (await ground.readText(set.file)) ?? "";
    const after = (await bench.read(set.file)) ?? "";
    const feedback = changed.map(
      ([name]) => `Set the default of ${set.name}.${name} to ${JSON.stringify(values[name])}`,
    );
    return { patch: toPatch(set.file, before, after), feedback: feedback.join("\n") };
  };
}

function toGround(version: Version, readText: Ground["readText"]): Ground {
  const nothing = () => Promise.reject(new TypeError("A draft proposes nothing."));
  return {
    version,
    files: [],
    readText,
    now: () => 0,
    signal: new AbortController().signal,
    propose: nothing,
    tryPlan: nothing,
    reverse: nothing,
  };
}

/** A unified diff of one hunk, from the first line that differs to the last. */
function toPatch(path: string, before: string, after: string): string {
  const [old, young] = [toLines(before), toLines(after)];
  const most = Math.min(old.length, young.length);
  let same = 0;
  while (same < most && old[same] === young[same]) same += 1;
  let sameAtEnd = 0;
  while (sameAtEnd < most - same && old.at(-1 - sameAtEnd) === young.at(-1 - sameAtEnd)) sameAtEnd += 1;
  const from = Math.max(0, same - CONTEXT);
  const rest = Math.max(0, sameAtEnd - CONTEXT);
  const head = old.slice(from, same);
  const tail = old.slice(old.length - sameAtEnd, old.length - rest);
  const [gone, come] = [old.slice(same, old.length - sameAtEnd), young.slice(same, young.length - sameAtEnd)];
  const hunk = {
    line: 1,
    start: from + 1,
    newStart: from + 1,
    before: [...head, ...gone, ...tail],
    after: [...head, ...come, ...tail],
    lines: [...sign(" ", head), ...toChanged(gone, come), ...sign(" ", tail)],
  };
  return writePatch([{ change: "modified", path, hunks: [hunk] }], () => false);
}

/** With their line feeds, which the last one may lack. */
function toLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Line by line where none was added or taken away. */
function toChanged(old: readonly string[], young: readonly string[]): readonly string[] {
  if (old.length !== young.length) return [...sign("-", old), ...sign("+", young)];
  return old.flatMap((line, place) =>
    line === young[place] ? sign(" ", [line]) : [...sign("-", [line]), ...sign("+", young.slice(place, place + 1))],
  );
}

function sign(mark: " " | "-" | "+", lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line.endsWith("\n") ? mark + line.slice(0, -1) : `${mark}${line}\n\\ No newline at end of file`,
  );
}
