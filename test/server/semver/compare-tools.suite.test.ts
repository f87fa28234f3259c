import { describe, expect, it } from "vitest";
import { compareInputs, compareOutputs } from "../../../server/semver/compare-tools.ts";
import { toLatestDraft } from "../../../server/json/schema-draft.ts";
import { evaluate } from "../../../server/semver/schemas/evaluate.ts";
import { toPlace } from "../../../server/semver/schemas/located.ts";
import type { Json } from "../../../server/store/store.ts";
import { compileSchema } from "../../../server/versions/manifests/schema/compile-schema.ts";
import { createDefaults } from "../../../server/versions/manifests/schema/with-defaults.ts";
import { createStripUndeclared } from "../../../server/versions/manifests/schema/strip-undeclared.ts";
import { compiles, mutate } from "./schemas.ts";
import { loosen } from "./suite/loosen.ts";
import { readSuite, type Suite } from "./suite/read-suite.ts";

type Schema = Readonly<Record<string, unknown>>;

const TIMEOUT = 300_000;
const DRAFTS = ["draft2020-12", "draft2019-09", "draft7"] as const;
const NONE: Suite = { cases: [], refused: 0, values: [] };
/** Number of mutants of each schema; of the older drafts fewer, as most of their schemas are those of 2020-12. */
const PLACES = { "draft2020-12": 40, "draft2019-09": 4, draft7: 8 };
/** Least number of schemas that tools may have. */
const CASES = { "draft2020-12": 300, "draft2019-09": 300, draft7: 200 };
/** Where ajv and the suite disagree. */
const DIFFERING = {
  "draft2020-12": [
    "multipleOf.json: float division = inf",
    "optional/format/email.json: validation of e-mail addresses",
    "unevaluatedItems.json: unevaluatedItems depends on adjacent contains",
    "unevaluatedItems.json: unevaluatedItems depends on multiple nested contains",
    "unevaluatedItems.json: unevaluatedItems with nested items",
    "unevaluatedProperties.json: unevaluatedProperties with if/then/else, then not defined",
  ],
  "draft2019-09": [
    "multipleOf.json: float division = inf",
    "unevaluatedItems.json: unevaluatedItems with nested items",
    "unevaluatedProperties.json: unevaluatedProperties with if/then/else, then not defined",
  ],
  draft7: [
    "multipleOf.json: float division = inf",
    // Content is an annotation here, as the draft allows.
    "optional/content.json: validation of binary string-encoding",
    "optional/content.json: validation of binary-encoded media type documents",
    "optional/content.json: validation of string-encoded content based on media type",
  ],
};
const REASON = "JSON-Schema-Test-Suite is not there: `node scripts/json-schema-test-suite.mjs` brings it";
const isSkipped = readSuite("draft7") === undefined && process.env["CI"] === undefined;
if (isSkipped) process.stdout.write(`skipped: ${REASON}\n`);

interface Tool {
  readonly schema: Schema;
  readonly input: Schema;
  readonly output: Schema;
  readonly checkInput: ReturnType<typeof compileSchema>;
  readonly checkOutput: ReturnType<typeof compileSchema>;
  readonly withDefaults: (value: unknown) => unknown;
  readonly stripUndeclared: (value: Json) => Json;
  readonly accepted: readonly Json[];
}

/** A tool whose inputs and outputs have the schema, and those of the values that it takes as inputs. */
function createTool(schema: Schema, values: readonly Json[]): Tool {
  const check = compileSchema(schema);
  const withDefaults = createDefaults(schema);
  const accepted = values.filter((value) => check(withDefaults(value), "first").length === 0);
  const stripUndeclared = createStripUndeclared(schema);
  const tool = { schema, input: schema, output: schema, checkInput: check, checkOutput: check };
  return { ...tool, withDefaults, stripUndeclared, accepted };
}

const show = (...schemas: readonly Schema[]) => schemas.map((schema) => JSON.stringify(schema)).join(" -> ");

/** Values of the suite against "every input of the one is taken by the other". */
function against(before: Tool, after: Tool): readonly Json[] {
  return before.accepted.filter((value) => after.checkInput(after.withDefaults(value), "first").length > 0);
}

/** The same for outputs, in which no defaults are filled in. */
function againstOutputs(before: Tool, after: Tool, values: readonly Json[]): readonly Json[] {
  return values.filter(
    (value) => after.checkOutput(value, "first").length === 0 && before.checkOutput(value, "first").length > 0,
  );
}

/**
 * The same in other words: in draft 2020-12, and as the only condition of another schema, where nothing in it depends on
 * where it stands.
 */
function restate(written: Schema): Schema {
  const schema = toLatestDraft(written);
  const { $defs, definitions, ...own } = schema;
  if (/"\$ref":"#|"default":/.test(JSON.stringify(schema))) return { ...schema, title: "Said again" };
  return { $defs: $defs ?? {}, definitions: definitions ?? {}, allOf: [own] };
}

/** What the suite, the validators and this engine say of each value. */
function judge(cases: Suite["cases"]) {
  return cases.flatMap(({ title, schema, tests }) => {
    const [check, place] = [compileSchema(schema), toPlace(schema)];
    return tests.map(({ data, valid }) => {
      return { title, data, valid, isValid: check(data, "first").length === 0, answer: evaluate(data, place) };
    });
  });
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}

describe.skipIf(isSkipped).each(DRAFTS)("JSON-Schema-Test-Suite, %s", (draft) => {
  const suite = readSuite(draft);
  const { cases, refused, values } = suite ?? NONE;
  const toTool = (schema: Schema) => createTool(schema, values);

  it("is there", () => {
    expect(suite, REASON).toBeDefined();
    expect(cases.length).toBeGreaterThan(CASES[draft]);
    process.stdout.write(`${cases.length} schemas that tools may have, ${refused} others; ${values.length} values\n`);
  });

  it("says of values what the validators say, but for what is listed here", () => {
    const differing = judge(cases)
      .filter(({ isValid, valid }) => isValid !== valid)
      .map(({ title }) => title);
    expect([...new Set(differing)].toSorted()).toEqual(DIFFERING[draft]);
  });

  it("has no value of which this engine is sure and wrong, by the validators", () => {
    const answers = judge(cases);
    const sure = answers.filter(({ answer }) => answer !== undefined);
    process.stdout.write(`sure of ${share(sure.length, answers.length)} values\n`);
    expect(sure.filter(({ answer, isValid }) => answer !== isValid)).toEqual([]);
  });

  it(
    "has no schema that is told incompatible with itself, however it is put",
    () => {
      const verdicts = cases.map(({ title, schema }) => {
        const [one, other] = [toTool(schema), toTool(restate(schema))];
        return {
          title,
          verdicts: [compareInputs(one, other, "plain").verdict, compareInputs(other, one, "plain").verdict],
        };
      });
      const of = (verdict: string) =>
        verdicts.filter((each) => each.verdicts.includes(verdict as "unknown")).map(({ title }) => title);
      process.stdout.write(
        `unknown to be compatible with themselves: ${share(of("unknown").length, verdicts.length)}\n`,
      );
      expect(of("excluded")).toEqual([]);
      expect(of("unknown").length / verdicts.length).toBeLessThan(0.05);
    },
    TIMEOUT,
  );

  it(
    "has no loosened input or tightened output that is told incompatible",
    () => {
      const counts = { included: 0, excluded: 0, unknown: 0 };
      const wrong: string[] = [];
      for (const { schema } of cases) {
        const tool = toTool(schema);
        for (const each of loosen(schema).filter(compiles)) {
          const looser = toTool(each);
          expect(againstOutputs(looser, tool, values), show(schema, each)).toEqual([]);
          for (const { verdict } of [compareInputs(tool, looser, "plain"), compareOutputs(looser, tool, "plain")]) {
            counts[verdict] += 1;
            if (verdict === "excluded") wrong.push(show(schema, each));
          }
        }
      }
      const all = counts.included + counts.excluded + counts.unknown;
      process.stdout.write(`loosened: ${JSON.stringify(counts)}, unknown ${share(counts.unknown, all)}\n`);
      expect(wrong).toEqual([]);
      expect(counts.unknown / all).toBeLessThan(0.05);
    },
    TIMEOUT,
  );

  it(
    "[D3] has no value against a change that is told compatible",
    () => {
      const counts = { included: 0, excluded: 0, unknown: 0 };
      const wrong: string[] = [];
      for (const { schema } of cases) {
        const tool = toTool(schema);
        const places = Array.from({ length: PLACES[draft] }, (_, place) => mutate(schema, place));
        const mutants = new Map([...places, ...loosen(schema)].map((each) => [JSON.stringify(each), each]));
        for (const each of [...mutants.values()].filter(compiles)) {
          const mutant = toTool(each);
          for (const [before, after] of [
            [tool, mutant],
            [mutant, tool],
          ] as const) {
            const [inputs, outputs] = [compareInputs(before, after, "plain"), compareOutputs(before, after, "plain")];
            counts[inputs.verdict] += 1;
            counts[outputs.verdict] += 1;
            const found = [
              ...(inputs.verdict === "included" ? against(before, after) : []),
              ...(outputs.verdict === "included" ? againstOutputs(before, after, values) : []),
            ];
            if (found.length > 0) wrong.push(`${show(before.schema, after.schema)}: ${JSON.stringify(found[0])}`);
          }
        }
      }
      const all = counts.included + counts.excluded + counts.unknown;
      process.stdout.write(`changed: ${JSON.stringify(counts)}, unknown ${share(counts.unknown, all)}\n`);
      expect(wrong).toEqual([]);
      expect(counts.unknown / all).toBeLessThan(0.02);
      expect(Math.min(counts.included, counts.excluded)).toBeGreaterThan(draft === "draft2020-12" ? 1_000 : 200);
    },
    TIMEOUT,
  );
});
