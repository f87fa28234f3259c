/**
 * How often other tools that compare schemas give an edit the bump that a careful person gives it: `node bench/semver-peers.ts`.
 * They are installed into a temporary folder, and read the pairs of test/evaluation/semver that edit a schema. None of them
 * knows inputs from outputs, so an output is compared the other way round. The bumps are those of tools that Cairn serves, which
 * fills in defaults: of other servers, Cairn itself takes a new default as a description.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { Level } from "../server/semver/level.ts";
import { compareSurfaces } from "../server/semver/surfaces/compare-surfaces.ts";
import { toSurface } from "../test/server/semver/surfaces/surfaces.ts";
import { HALVES } from "../test/evaluation/semver/read-pairs.ts";

type Schema = Readonly<Record<string, unknown>>;
interface Pair {
  readonly part?: string;
  readonly bump: Level;
  readonly before?: Schema;
  readonly after?: Schema;
}
/** Bump of a change of an input. */
type Judge = (before: Schema, after: Schema, part: string) => Level | Promise<Level>;

const PACKAGES = {
  "json-schema-diff": "1.0.0",
  "api-smart-diff": "1.0.6",
  "json-schema-diff-validator": "0.4.2",
  "json-schema-compare": "0.2.2",
};
const PAIRS = join(import.meta.dirname, "../test/evaluation/semver");

function readSchemaPairs(): readonly Required<Pair>[] {
  return [".", ...HALVES].flatMap((half) =>
    globSync("*.yaml", { cwd: join(PAIRS, half) }).flatMap((name) => {
      const { part, pairs } = parse(readFileSync(join(PAIRS, half, name), "utf8")) as { part: string; pairs: Pair[] };
      return pairs.flatMap(({ before, after, ...pair }) =>
        before === undefined || after === undefined ? [] : [{ part, ...pair, before, after } as Required<Pair>],
      );
    }),
  );
}

/** Judges by each of the peers, as far as it can tell: where it tells no minor from patch, the more frequent one counts. */
function createPeers(folder: string): Readonly<Record<string, Judge>> {
  const load = createRequire(join(folder, "package.json"));
  const { diffSchemas } = load("json-schema-diff") as {
    diffSchemas: (of: object) => Promise<{ additionsFound: boolean; removalsFound: boolean }>;
  };
  const { compareJsonSchema } = load("api-smart-diff") as {
    compareJsonSchema: (before: Schema, after: Schema) => { diffs: readonly { type: string }[] };
  };
  const { validateSchemaCompatibility } = load("json-schema-diff-validator") as {
    validateSchemaCompatibility: (before: Schema, after: Schema) => void;
  };
  const isEqual = load("json-schema-compare") as (before: Schema, after: Schema, options: object) => boolean;
  return {
    "json-schema-diff": async (sourceSchema, destinationSchema) => {
      const { additionsFound, removalsFound } = await diffSchemas({ sourceSchema, destinationSchema });
      return removalsFound ? "major" : additionsFound ? "minor" : "patch";
    },
    "api-smart-diff": (before, after) => {
      const types = new Set(compareJsonSchema(before, after).diffs.map(({ type }) => type));
      // What it cannot classify counts as a patch, which agrees more often than a break.
      return types.has("breaking") ? "major" : types.has("non-breaking") ? "minor" : "patch";
    },
    "json-schema-diff-validator": (before, after) => {
      try {
        validateSchemaCompatibility(before, after);
        return "minor";
      } catch (error) {
        if (error instanceof Error && error.name === "AssertionError") return "major";
        throw error;
      }
    },
    "json-schema-compare": (before, after) =>
      isEqual(before, after, { ignore: ["title", "description", "examples"] }) ? "patch" : "major",
  };
}

/** Cairn's own judgement, as of a tool of a server that it does not serve. */
const judgeByCairn: Judge = (before, after, part) => {
  const [one, other] = [before, after].map((schema) => {
    const schemas = { inputSchema: { type: "object" }, outputSchema: { type: "object" }, [`${part}Schema`]: schema };
    return toSurface([{ name: "echo", ...schemas }]);
  });
  return one === undefined || other === undefined ? "none" : compareSurfaces(one, other, "declared").required;
};

async function count(judge: Judge, isDirected: boolean, pairs: readonly Required<Pair>[]): Promise<string> {
  const tally = { exact: 0, missed: 0, failed: 0 };
  for (const { before, after, part, bump } of pairs) {
    const [old, young] = part === "output" && !isDirected ? [after, before] : [before, after];
    try {
      const found = await judge(structuredClone(old), structuredClone(young), part);
      if (found === bump) tally.exact += 1;
      else if (bump === "major") tally.missed += 1;
    } catch {
      // What a tool cannot read, it has no bump for.
      tally.failed += 1;
    }
  }
  const share = ((100 * tally.exact) / pairs.length).toFixed(0);
  return `${String(tally.exact).padStart(5)} exact (${share} %), ${tally.missed} breaks missed, ${tally.failed} failed`;
}

const pairs = readSchemaPairs();
const folder = mkdtempSync(join(tmpdir(), "cairn-peers-"));
try {
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const options = ["--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, ...wanted], { stdio: ["ignore", "ignore", "inherit"] });
  process.stdout.write(`${pairs.length} pairs of schemas\n`);
  process.stdout.write(`${"cairn diff --mcp".padEnd(30)}${await count(judgeByCairn, true, pairs)}\n`);
  for (const [name, judge] of Object.entries(createPeers(folder))) {
    process.stdout.write(`${name.padEnd(30)}${await count(judge, false, pairs)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
