import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createDirectivePlanner } from "../../../server/architect/planners/directives/create-directive-planner.ts";
import { createDraftDefaults } from "../../../server/architect/draft-defaults.ts";
import type { ParameterSet, Version } from "../../../server/versions/version.ts";
import { createGround, type Files, loadFiles, readCheckout } from "../../helpers/plan-ground.ts";
import { createRepository } from "../../helpers/repository.ts";

let files: Files;
let version: Version;
beforeAll(async () => {
  files = await readCheckout();
  const loaded = await loadFiles(files);
  if (!loaded.ok) throw new Error("the checkout makes no version");
  version = loaded.version;
});

const draft = (set: ParameterSet, values: Readonly<Record<string, string | number | boolean>>) =>
  createDraftDefaults(async (_commit, path) => files.get(path))(version, set, values);

function setOf(name: string): ParameterSet {
  const set = version.parameters.get(name);
  if (set === undefined) throw new Error(`no ${name}`);
  return set;
}

const CASES = [
  ["weather", { detail: "brief" }],
  ["chat", { match_threshold: 0.9090301, match_margin: 0.15 }],
  ["chat", { match_threshold: 0.9090301, match_margin: 0.2500007 }],
  ["greeting", { greeting: "warm" }],
  ["executor", { validate_artifact_args: true }],
] as const;

describe("what tuner.propose prints for people", () => {
  test.each(CASES)(
    "applies to the manifest of %s, and is what the Architect would make of %j",
    async (name, values) => {
      const set = setOf(name);
      const drafted = await draft(set, values);
      if (drafted === undefined) throw new Error("nothing was drafted");

      const { path, git } = await createRepository();
      await mkdir(dirname(join(path, set.file)), { recursive: true });
      await writeFile(join(path, set.file), files.get(set.file) ?? "");
      await writeFile(join(path, "winner.patch"), drafted.patch);
      await git("apply", "winner.patch");
      const applied = await readFile(join(path, set.file), "utf8");

      const after = await loadFiles(new Map([...files, [set.file, applied]]));
      if (!after.ok) throw new Error(JSON.stringify(after.problems));
      const { parameters, experiment } = after.version.parameters.get(name) ?? {};
      for (const [parameter, value] of Object.entries(values)) expect(parameters?.get(parameter)?.default).toBe(value);
      // What the arms are stays: one that had the old default without saying so says it now.
      expect(experiment?.arms).toEqual(set.experiment?.arms);

      const ground = await createGround(files);
      const plan = await createDirectivePlanner().plan({ message: drafted.feedback, attachments: [] }, ground);
      expect(plan).toMatchObject({ kind: "change", files: new Map([[set.file, applied]]) });
    },
  );

  test.each(["default: dry", "default: dry\n", "default: dry # last\n\n"])(
    "applies to a file that ends with %j",
    async (end) => {
      const text = `parameters:\n  tone:\n    values: [dry, kind]\n    type: categorical\n    ${end}`;
      const tone = { type: "categorical", values: ["dry", "kind"], default: "dry" } as const;
      const set = { name: "style", file: "manifests/parameters/style.yaml", parameters: new Map([["tone", tone]]) };
      const drafted = await createDraftDefaults(async () => text)(version, set, { tone: "kind" });
      const { path, git } = await createRepository();
      await mkdir(dirname(join(path, set.file)), { recursive: true });
      await writeFile(join(path, set.file), text);
      await writeFile(join(path, "winner.patch"), drafted?.patch ?? "");
      await git("apply", "winner.patch");
      expect(await readFile(join(path, set.file), "utf8")).toBe(
        text.replace("dry #", "kind #").replace(/dry(\s*)$/, "kind$1"),
      );
    },
  );

  test("is nothing where the values are the defaults", async () => {
    expect(await draft(setOf("weather"), { detail: "full" })).toBeUndefined();
  });

  test("shows what changes among three lines of what stays", async () => {
    const { patch = "", feedback } = (await draft(setOf("weather"), { detail: "brief" })) ?? {};
    expect(feedback).toBe('Set the default of weather.detail to "brief"');
    expect(patch.split("\n").slice(0, 3)).toEqual([
      "diff --git a/manifests/parameters/weather.yaml b/manifests/parameters/weather.yaml",
      "--- a/manifests/parameters/weather.yaml",
      "+++ b/manifests/parameters/weather.yaml",
    ]);
    expect(patch).toContain("-    default: full\n+    default: brief\n");
    expect(patch.endsWith("\n")).toBe(true);
  });
});
