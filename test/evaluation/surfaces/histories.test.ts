import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { isAtLeast } from "../../../server/semver/level.ts";
import { compareSurfaces } from "../../../server/semver/surfaces/compare-surfaces.ts";
import { writeSurface } from "../../../server/semver/surfaces/surface.ts";
import { createRepository } from "../../helpers/repository.ts";
import { runIn } from "../../server/cli/run-in.ts";
import { TOOL_EDITS } from "./edits.ts";
import { generateHistory } from "./generate-history.ts";

const SEEDS = process.env["CAIRN_LONG"] ? 60 : 6;
/** Share of releases that get the very bump of their edits. */
const AGREEMENT = 0.95;

test("[V2] releases of generated servers get the bump of their edits, and no break is missed", () => {
  const seen = new Set<string>();
  const wrong: string[] = [];
  let count = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const history = generateHistory(seed);
    for (const [index, { surface, edits, bump }] of history.entries()) {
      const before = history[index - 1];
      if (before === undefined) continue;
      count += 1;
      for (const edit of edits) seen.add(edit);
      const { required, claim } = compareSurfaces(before.surface, surface, "declared");
      // The version was raised by what the edits need.
      expect(claim?.isKept).toBe(isAtLeast(bump, required));
      if (required !== bump) wrong.push(`${seed}/${index}: ${edits.join(", ")}: ${bump}, found ${required}`);
    }
  }
  expect(count).toBe(SEEDS * 59);
  expect([...seen].sort()).toEqual([...TOOL_EDITS.map(({ name }) => name), "add a tool", "remove a tool"].sort());
  expect(wrong.filter((line) => line.includes(": major, found"))).toEqual([]);
  expect(1 - wrong.length / count, wrong.join("\n")).toBeGreaterThanOrEqual(AGREEMENT);
});

test("[V2] a repository of 60 saved surfaces is judged tag by tag", async () => {
  const repository = await createRepository();
  const history = generateHistory(7);
  for (const [index, { surface }] of history.entries()) {
    await writeFile(join(repository.path, "mcp-surface.json"), writeSurface(surface));
    await repository.commit({});
    await repository.tag(`r${index}`);
  }
  const found = new Map<string, number>();
  for (const index of history.keys()) {
    if (index === 0) continue;
    const args = ["--mcp", `r${index}:mcp-surface.json`, "--against", `r${index - 1}:mcp-surface.json`];
    const { code, printed } = await runIn(repository.path, ["diff", ...args, "--format", "json"]);
    expect(code).toBe(0);
    const { required } = JSON.parse(printed) as { required: string };
    const verdict = required === history[index]?.bump ? "exact" : "other";
    found.set(verdict, (found.get(verdict) ?? 0) + 1);
  }
  expect(found.get("exact")).toBeGreaterThanOrEqual(Math.ceil(59 * AGREEMENT));
});
