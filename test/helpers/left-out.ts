import { relative } from "node:path";
import type { RunnerTask } from "vitest";
import { LEFT_OUT } from "../nodes-suites.ts";

/** Finds why a test is left out where services are two nodes; `undefined` for one that is not. */
export function findReason(task: RunnerTask): string | undefined {
  const suite = relative(process.cwd(), task.file.filepath);
  const titles = toTitles(task);
  return LEFT_OUT.find((one) => one.suite === suite && titles.some((title) => title.startsWith(one.title)))?.reason;
}

/** Titles of a test and of all that it stands in. */
function toTitles({ name, suite }: RunnerTask): readonly string[] {
  return suite === undefined ? [name] : [name, ...toTitles(suite)];
}
