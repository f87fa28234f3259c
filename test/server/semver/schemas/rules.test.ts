import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Comparison } from "../../../../server/semver/schemas/compare-schemas.ts";
import { compareInputs, compareOutputs } from "../../../../server/semver/compare-tools.ts";
import { COMPAT_RULES } from "../../../../server/semver/schemas/rules.ts";
import type { JsonSchema } from "../../../../server/host-api.ts";
import { compileSchema } from "../../../../server/versions/manifests/schema/compile-schema.ts";
import { createStripUndeclared } from "../../../../server/versions/manifests/schema/strip-undeclared.ts";
import { createDefaults } from "../../../../server/versions/manifests/schema/with-defaults.ts";
import { readTables } from "../../../helpers/markdown.ts";

const FILE = "docs/compatibility.md";

interface Example {
  readonly part: "input" | "output";
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly verdict: string;
  /** Rule, message and value; null where none was found. */
  readonly findings: readonly (readonly [string, string, unknown])[];
}

const examples = [...readFileSync(FILE, "utf8").matchAll(/```json\n([^`]*(?:`(?!``)[^`]*)*)```/g)].map(
  ([, text = ""]) => JSON.parse(text) as Example,
);

function compare({ part, before, after }: Example): Comparison {
  const toTool = (schema: JsonSchema) => ({
    input: schema,
    checkInput: compileSchema(schema),
    withDefaults: createDefaults(schema),
    output: schema,
    checkOutput: compileSchema(schema),
    stripUndeclared: createStripUndeclared(schema),
  });
  return (part === "input" ? compareInputs : compareOutputs)(toTool(before), toTool(after), "declared");
}

describe("docs/compatibility.md", () => {
  it("has the rules of the code", () => {
    const rows = readTables(FILE).flatMap(([rule = "", meaning]) => (rule in COMPAT_RULES ? [[rule, meaning]] : []));
    expect(rows).toEqual(Object.entries(COMPAT_RULES));
  });

  it("has examples", () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  it.each(examples.map((example, index) => [index + 1, example] as const))("has example %d right", (_, example) => {
    const { verdict, findings } = compare(example);
    const told = findings.map(({ rule, message, value }) => [rule, message, value ?? null]);
    expect({ verdict, findings: told }).toEqual({ verdict: example.verdict, findings: example.findings });
  });
});
