import { readdir, readFile } from "node:fs/promises";
import type { TestContext } from "vitest";
import { createPreloadedNode } from "./preloaded-node.ts";

/** A Node whose processes take long over LMDB's file. */
export interface SlowNode {
  /** To be run in place of Node. */
  readonly program: string;
  /** Core dumps of processes that have crashed, where the system leaves them beside processes. */
  findCores(): Promise<readonly string[]>;
}

/** A Node whose processes take long over LMDB's file, and leave core dumps when they crash. */
export async function createSlowNode(context: TestContext): Promise<SlowNode> {
  const { program, folder } = await createPreloadedNode(context, "slow-maps.c");
  return {
    program,
    async findCores() {
      const pattern = (await readFile("/proc/sys/kernel/core_pattern", "utf8")).trim();
      if (/^[|/]/.test(pattern)) return [];
      return (await readdir(folder)).filter((name) => name.startsWith(pattern.replace(/%.*/, "")));
    },
  };
}
