import { existsSync } from "node:fs";
import { assert, property } from "fast-check";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { promote, type Promotable, type PromisedExample } from "../../../../tools/_lib/artifacts/promote.ts";
import { toYaml } from "../../../../tools/_lib/artifacts/to-yaml.ts";
import { jsonValues } from "../../../helpers/json-values.ts";
import { CALCULATE, CALCULATOR } from "../../artifacts/use-artifacts.ts";
import { type Changes, useInvokedCheckout } from "../../invoke-checkout.ts";
import { keepPromises } from "../../keep-promises.ts";

const EVERYBODY = { read: ["*"], write: [], invoke: ["*"] };
const MADE = { owner: "ada", permissions: EVERYBODY, uses: [], price: 0 } as const;
const ADD = { input: { operation: "add", a: 1, b: 2 }, output: { value: 3 } };

const CALCULATING: Promotable = { ...MADE, name: "calculator", revision: 3, code: CALCULATE, interface: CALCULATOR };
const method = (description: string) => ({
  description,
  inputSchema: { type: "object", properties: { n: { type: "integer" } } },
  outputSchema: { type: "integer", $defs: { unused: {} } },
});
const COUNTING: Promotable = {
  ...MADE,
  name: "counter",
  revision: 1,
  uses: ["state.read", "state.write", "clock"],
  interface: { methods: { add: method("Adds: to what there is, and answers the sum"), read: method("Reads it. #1") } },
  code: `type Input = { n?: number };
    export const read = async (_: Input, ctx: any): Promise<number> => (await ctx.state.get(["n"])) ?? 0;
    export async function add({ n = 1 }: Input, ctx: any) {
      const sum = (await read({}, ctx)) + n; await ctx.state.set(["n"], sum);
      if (ctx.now() < 1 || ctx.artifact.owner !== "ada") throw ctx.fail("CONFLICT", "never");
      return sum; }`,
};

function filesOf(artifact: Promotable, examples: readonly PromisedExample[]) {
  const promoted = promote(artifact, examples);
  if ("problem" in promoted) throw new Error(promoted.problem);
  return promoted.files;
}

const FILES = [
  ...filesOf(CALCULATING, [ADD, { description: "Subtracts.", input: { operation: "subtract", a: 1, b: 2 } }]),
  ...filesOf(COUNTING, [
    { method: "add", input: { n: 5 }, output: 5 },
    { method: "read", input: {} },
  ]),
];
const changes: Changes = Object.fromEntries(FILES.map(({ path, content }) => [path, () => content]));
const checkout = useInvokedCheckout({ changes });

describe("an artifact that becomes part of a version", () => {
  test("is a manifest, a handler and a test for each of its tools, and its code", () => {
    expect(FILES.map(({ path }) => path)).toEqual([
      "tools/_lib/promoted/calculator.ts",
      "manifests/artifacts/calculator.yaml",
      "tools/artifacts/calculator.ts",
      "test/tools/artifacts/calculator.test.ts",
      "tools/_lib/promoted/counter.ts",
      "manifests/artifacts/counter.add.yaml",
      "tools/artifacts/counter.add.ts",
      "test/tools/artifacts/counter.add.test.ts",
      "manifests/artifacts/counter.read.yaml",
      "tools/artifacts/counter.read.ts",
      "test/tools/artifacts/counter.read.test.ts",
    ]);
    const [code, manifest, handler, written] = FILES.map(({ content }) => content);
    expect(code).toContain(`${CALCULATE}\n`);
    expect(code).toContain("// Revision 3 of the artifact `calculator` of `ada`");
    expect(load(manifest ?? "")).toMatchObject({
      name: "calculator",
      version: "1.0.0",
      description: "Performs arithmetic",
      input: CALCULATOR.inputSchema,
      output: CALCULATOR.outputSchema,
      sideEffect: false,
      uses: ["principal"],
    });
    expect(handler).toBe(`import { createPromoted } from "../_lib/artifacts/run-promoted.ts";
import * as module from "../_lib/promoted/calculator.ts";

export default createPromoted(module, {
  artifact: { name: "calculator", revision: 3, owner: "ada" },
});
`);
    for (const [, path] of (written ?? "").matchAll(/from "(\.\.\/[^"]+)"/g)) {
      expect(existsSync(`test/tools/artifacts/${path}`)).toBe(true);
    }
  });

  test("keeps its promises as a tool", async () => {
    for (const name of ["calculator", "counter.add", "counter.read"]) await keepPromises(checkout, name);
    expect(await checkout.output("calculator", { operation: "subtract", a: 5, b: 8 })).toEqual({ value: -3 });
  });

  test("goes on with the state that it had as an artifact", async () => {
    const principal = { tenant: "t", actor: "ada", capabilities: new Set(["*"]) };
    const { name, code, interface: spoken, uses } = COUNTING;
    const input = { name, code, language: "typescript", interface: spoken, uses };
    await checkout.output("artifact_create", input, principal);
    await checkout.output("artifact_invoke", { name: "counter.add", arguments: { n: 40 } }, principal);
    expect(await checkout.output("counter.add", { n: 2 }, principal)).toEqual({ result: 42 });
    expect(await checkout.output("artifact_invoke", { name: "counter.read", arguments: {} }, principal)).toMatchObject({
      result: 42,
    });
    expect(await checkout.output("counter.read", {}, { ...principal, tenant: "other" })).toEqual({ result: 0 });
  });

  test.for<[string, Partial<Promotable>, readonly PromisedExample[], string]>([
    ["interface", { interface: undefined as never }, [ADD], "has no interface"],
    ["example", {}, [], "no example of `calculator`"],
    ["freedom", { permissions: { ...EVERYBODY, invoke: ["bob"] } }, [ADD], "is not for everybody"],
    ["independence", { uses: ["invoke"] }, [ADD], "invokes artifacts"],
    ["gratuity", { price: 1 }, [ADD], "has a price"],
  ])("is not made of one without %s", ([, changed, examples, told]) => {
    expect(promote({ ...CALCULATING, ...changed }, examples)).toEqual({ problem: expect.stringContaining(told) });
  });

  test("says whose it was in one line, whatever they are called", () => {
    const [code] = filesOf({ ...CALCULATING, owner: "a\n*/ process.exit()\u2028//" }, [ADD]);
    expect(code?.content.split(/[\n\u2028]/)[0]).toContain("a */ process.exit() //");
  });
});

describe("its manifest", () => {
  test("means the same to every reader of YAML, whatever is in it", () => {
    const law = property(jsonValues(), jsonValues(), (one, other) => {
      const value = JSON.parse(JSON.stringify({ one, other, yes: { "a: b": [one, [other]], "": "#" } })) as object;
      const text = toYaml({ ...value });
      expect(load(text)).toEqual(value);
      expect(parse(text)).toEqual(value);
    });
    assert(law, { numRuns: process.env["CAIRN_LONG"] ? 5_000 : 300 });
  });

  test("writes what YAML would take for something else in quotes", () => {
    const value = { no: "no", text: "a: b # c\u2028\u0085\u007f", list: [], empty: {}, number: 1e21, "0": null };
    expect(load(toYaml(value))).toEqual(value);
    expect(toYaml(value)).toContain('"no": "no"');
  });
});
