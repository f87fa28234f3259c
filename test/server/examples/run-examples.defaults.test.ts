import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { findAffected } from "../../../server/architect/pipeline/verify/find-affected.ts";
import { openTrial, type Trial } from "../../../server/examples/open-trial.ts";
import { runExamples } from "../../../server/examples/run-examples.ts";
import { loader } from "../../helpers/loader.ts";
import type { Parameter, Version } from "../../../server/versions/version.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";

type Files = Readonly<Record<string, string>>;

const paths = globSync(["manifests/**/*.yaml", "tools/**/*.{ts,yaml}", "versions.yaml"]);
const FILES: Files = Object.fromEntries(
  await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const)),
);
const before = await load(FILES);

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ egressMap: new Map(), now: Date.now });
});
afterAll(() => trial.close());

async function load(files: Files): Promise<Version> {
  const loaded = await loader.load(createMemoryTree(files), "a".repeat(40));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, null, 2));
  return loaded.version;
}

/** What a parameter could be by default instead: every choice, or the ends and the middle of a range. */
function othersOf(parameter: Parameter): readonly (string | number | boolean)[] {
  if (parameter.type === "categorical") return parameter.values.filter((value) => value !== parameter.default);
  const { min, max, step = parameter.type === "int" ? 1 : 0.01 } = parameter;
  const middle = Number((min + Math.round((max - min) / 2 / step) * step).toPrecision(12));
  return [min, middle, max].filter((value) => value !== parameter.default);
}

/** As the Architect changes a default: arms that had the old one without saying so say it, and so stay what they are. */
function withDefault(text: string, name: string, from: unknown, to: unknown): string {
  const document = parseDocument(text);
  document.setIn(["parameters", name, "default"], to);
  const { experiment } = document.toJS() as {
    readonly experiment?: { readonly arms?: Readonly<Record<string, object>> };
  };
  for (const [arm, own] of Object.entries(experiment?.arms ?? {})) {
    if (!Object.hasOwn(own, name)) document.setIn(["experiment", "arms", arm, name], from);
  }
  return String(document);
}

const CHANGES = [...before.parameters.values()].flatMap(({ name: set, file, parameters }) =>
  [...parameters].flatMap(([name, parameter]) =>
    othersOf(parameter).map((to) => ({ what: `${set}.${name}`, to, file, name, from: parameter.default })),
  ),
);

// A winner that breaks an example could never become the default: the change that makes it so would be rejected.
describe("the examples of the example agent's tools", () => {
  test.each(CHANGES)("[A2] hold when $what is $to by default", async ({ to, file, name, from }) => {
    const files = { ...FILES, [file]: withDefault(FILES[file] ?? "", name, from, to) };
    const after = await load(files);
    const affected = new Set(findAffected({ before, after, difference: { findings: [] }, changed: [file] }));
    // Those of the tuner show experiments, and are tried with each default, whether or not it is that of one.
    const tools = [...after.tools.values()].filter((tool) => affected.has(tool) || tool.server === "tuner");
    const readText = async (path: string) => files[path];
    const { examples } = await runExamples({ version: after, readText, trial, tools });
    expect(examples.filter(({ tool }) => tool.startsWith("tuner.")).length).toBeGreaterThan(0);
    const failed = examples.filter(({ outcome }) => outcome === "failed");
    expect(failed.map((one) => `${one.file}:${one.line}: ${one.reasons.join("; ")}`)).toEqual([]);
  });
});
