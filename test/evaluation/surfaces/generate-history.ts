import { type Level, largest } from "../../../server/semver/level.ts";
import { type McpSurface, toDefinitions } from "../../../server/semver/surfaces/surface.ts";
import { raiseBy } from "../../../server/semver/claim.ts";
import { TOOL_EDITS } from "./edits.ts";
import { createRandom, type GeneratedTool, generateTool, type Random } from "./generate-tools.ts";

/** Release of a generated server, and the edits that led to it. */
export interface Release {
  readonly surface: McpSurface;
  readonly edits: readonly string[];
  /** Largest bump of the edits. */
  readonly bump: Level;
}

/** Tools that an ordinary release edits at most. */
const EDITED = 4;

/** Generates the releases of a server with `size` tools at first. The version of each is the least that its edits need. */
export function generateHistory(
  seed: number,
  { releases = 60, size = 12, edited = "some" }: { releases?: number; size?: number; edited?: "some" | "all" } = {},
): readonly Release[] {
  const random = createRandom(seed);
  let tools: readonly GeneratedTool[] = Array.from({ length: size }, (_, index) => generateTool(random, index));
  let version = "1.0.0";
  let count = size;
  const history: Release[] = [{ surface: toSurface(version, tools), edits: [], bump: "none" }];
  while (history.length < releases) {
    const next = structuredClone(tools) as GeneratedTool[];
    const done: { readonly name: string; readonly bump: Level }[] = [];
    // Edits of one tool could undo each other, so each release edits each of its tools once.
    for (const tool of edited === "all" ? next : pickSome(random, next, 1 + random.below(EDITED))) {
      const edit = random.pick(TOOL_EDITS);
      if (edit.apply(tool, random)) done.push(edit);
    }
    const chance = random.below(12);
    if (chance === 0) {
      next.push(generateTool(random, (count += 1)));
      done.push({ name: "add a tool", bump: "minor" });
    } else if (chance === 1 && next.length > size / 2) {
      next.splice(random.below(next.length), 1);
      done.splice(0, done.length, { name: "remove a tool", bump: "major" });
    }
    if (done.length === 0) continue;
    const bump = largest(done.map((edit) => edit.bump));
    version = raiseBy(version, bump);
    tools = next;
    history.push({ surface: toSurface(version, tools), edits: done.map(({ name }) => name), bump });
  }
  return history;
}

function pickSome<Item>(random: Random, items: readonly Item[], count: number): readonly Item[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.below(left.length), 1)).flat();
}

function toSurface(version: string, tools: readonly GeneratedTool[]): McpSurface {
  return {
    server: { name: "generated", version },
    protocol: "2025-11-25",
    capabilities: { tools: {} },
    tools: toDefinitions("tools", structuredClone(tools)),
    prompts: {},
    resources: {},
    resourceTemplates: {},
  };
}
