import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { useInvokedCheckout } from "../invoke-checkout.ts";

const checkout = useInvokedCheckout();

const UMBRELLA = {
  states: [{ name: "rain" }, { name: "sun" }],
  alternatives: [
    { name: "take it", payoffs: [5, -1] },
    { name: "leave it", payoffs: [-10, 0] },
  ],
};

describe("decide_evaluate", () => {
  test("[G8] keeps the promises of its examples, in an isolate", async () => {
    const ajv = new Ajv2020({ strict: false });
    const { examples } = checkout.tool("decide_evaluate");
    expect(examples).toHaveLength(4);
    for (const { input, matches, error } of examples) {
      const result = await checkout.call("decide_evaluate", input);
      if (error === undefined)
        expect([input, result.ok && ajv.validate(matches ?? false, result.output)]).toEqual([input, true]);
      else expect([input, !result.ok && result.error.name]).toEqual([input, error]);
    }
  });

  test("[G8] evaluates by every criterion, with what its schema sets where nothing is said", async () => {
    expect(await checkout.output("decide_evaluate", UMBRELLA)).toEqual({
      ...UMBRELLA,
      id: expect.stringMatching(/^decision_[0-9a-f]{32}$/),
      orientation: "gain",
      alpha: 0.5,
      summary: 'Best: "take it" by minimax regret, maximin, maximax, hurwicz and laplace.',
      criteria: [
        { criterion: "minimax_regret", objective: "minimise", scores: [1, 15], best: 1, choices: ["take it"] },
        { criterion: "maximin", objective: "maximise", scores: [-1, -10], best: -1, choices: ["take it"] },
        { criterion: "maximax", objective: "maximise", scores: [5, 0], best: 5, choices: ["take it"] },
        { criterion: "hurwicz", objective: "maximise", scores: [2, -5], best: 2, choices: ["take it"] },
        { criterion: "laplace", objective: "maximise", scores: [2, -5], best: 2, choices: ["take it"] },
      ],
      regrets: [
        [0, 1],
        [15, 0],
      ],
      dominated: [],
    });
  });

  test("[G8] answers the call of docs/decisions.md as the page shows", async () => {
    const page = readFileSync("docs/decisions.md", "utf8");
    const [, body = ""] = /-d '(\{"toolName": "decide_evaluate".*?)'\n/s.exec(page) ?? [];
    const { input } = JSON.parse(body) as { input: unknown };
    const report = (await checkout.output("decide_evaluate", input)) as Record<string, unknown>;
    const rows = ["id", "summary", "regrets", "dominated", "perfect_information"].map((field) => {
      const [, value = ""] = new RegExp(`^\\| \`${field}\` +\\| (.*?) +\\|$`, "m").exec(page) ?? [];
      return [field, value.replaceAll("`", "")];
    });
    expect(rows).toEqual([
      ["id", report["id"]],
      ["summary", report["summary"]],
      ...["regrets", "dominated", "perfect_information"].map((field) => [
        field,
        JSON.stringify(report[field]).replaceAll(/([,:])(?! )/g, "$1 "),
      ]),
    ]);
    const find = { id: /"id": "(decision_\w+)"/.exec(page)?.[1] };
    expect(await checkout.output("datastore_decision_findById", find)).toEqual(report);
  });

  test("says of itself what it does: the same input is kept under the same id, once", async () => {
    expect(checkout.tool("decide_evaluate")).toMatchObject({
      deterministic: false,
      sideEffect: true,
      idempotent: true,
      tenantScoped: true,
      requiredCapabilities: ["tool:decide_evaluate"],
    });
    expect(await checkout.output("decide_evaluate", UMBRELLA)).toEqual(
      await checkout.output("decide_evaluate", UMBRELLA),
    );
  });

  test("takes the largest table that its schema allows", async () => {
    const names = (prefix: string) => Array.from({ length: 50 }, (_, at) => `${prefix}${at}`.padEnd(100, "x"));
    const input = {
      states: names("s").map((name) => ({ name, probability: 0.02 })),
      alternatives: names("a").map((name, row) => ({
        name,
        payoffs: Array.from({ length: 50 }, (_, column) => (row * 7919 + column * 104_729) / 1e9 - 1e15),
      })),
    };
    const output = await checkout.output("decide_evaluate", input);
    expect(output).toMatchObject({ regrets: expect.objectContaining({ length: 50 }) });
    expect(await checkout.output("datastore_decision_findById", { id: (output as { id: string }).id })).toEqual(output);
  });

  test.for([
    [{ ...UMBRELLA, orientation: "profit" }, "/orientation"],
    [{ ...UMBRELLA, alpha: 1.5 }, "/alpha"],
    [{ ...UMBRELLA, alternatives: [{ name: "a", payoffs: [1, "2"] }] }, "/alternatives/0/payoffs/1"],
    [{ ...UMBRELLA, alternatives: [{ name: "a", payoffs: [1, 1e16] }] }, "/alternatives/0/payoffs/1"],
    [{ ...UMBRELLA, states: [] }, "/states"],
    [{ ...UMBRELLA, extra: 1 }, ""],
  ] as const)("refuses %j, naming the place", async ([input, path]) => {
    const result = await checkout.call("decide_evaluate", input);
    expect(result).toMatchObject({
      ok: false,
      error: { name: "BAD_REQUEST", details: [expect.objectContaining({ path })] },
    });
  });
});
