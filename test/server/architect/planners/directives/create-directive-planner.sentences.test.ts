import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEvidencePlanner } from "../../../../../server/architect/planners/evidence/create-evidence-planner.ts";
import { createDirectivePlanner } from "../../../../../server/architect/planners/directives/create-directive-planner.ts";
import type { Plan } from "../../../../../server/architect/planners/plan.ts";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import { openTrial, type Trial } from "../../../../../server/examples/open-trial.ts";
import { runExamples } from "../../../../../server/examples/run-examples.ts";
import { describePlan } from "../../../../helpers/describe-plan.ts";
import { readSentences } from "../../../../helpers/documented-sentences.ts";
import { proposeAfter, rewardsOf } from "../../../../helpers/plan-evidence.ts";
import { applyFiles, createGround, type Files, loadFiles, readCheckout } from "../../../../helpers/plan-ground.ts";
import { NOW } from "../../../../helpers/fake-context.ts";
import { type OpenMeteo, startOpenMeteo } from "../../../../stand-ins/open-meteo.ts";

const HOSTS = ["geocoding-api.open-meteo.com", "api.open-meteo.com", "archive-api.open-meteo.com"];
const ROWS = readSentences();

const planners = [createDirectivePlanner(), createEvidencePlanner()];
let files: Files;
let ground: Ground;
let service: OpenMeteo;
let trial: Trial;

beforeAll(async () => {
  // As if 0.0.9 had been released before.
  const checkout = await readCheckout();
  files = new Map([
    ...checkout,
    ["versions.yaml", `${checkout.get("versions.yaml") ?? ""}  0.0.9:\n    changes: [Before.]\n`],
  ]);
  const loaded = await loadFiles(files);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const events = { weather: [...rewardsOf("brief", 0.7, 40), ...rewardsOf("full", 0.5, 40)] };
  ground = await createGround(files, proposeAfter(loaded.version, events));
  service = await startOpenMeteo(() => NOW);
  trial = await openTrial({ egressMap: new Map(HOSTS.map((host) => [host, service.url])), now: () => NOW });
});
afterAll(async () => {
  await trial.close();
  await service.close();
});

async function planWith(message: string): Promise<Plan | undefined> {
  for (const planner of planners) {
    const plan = await planner.plan({ message, attachments: [] }, ground);
    if (plan !== undefined) return plan;
  }
  return undefined;
}

describe("[A6] what can be said without a model", () => {
  test("is in the table of its page", () => expect(ROWS.length).toBeGreaterThan(45));

  test.each(ROWS)("%s", async (message, outcome) => {
    const plan = await planWith(message);
    expect(describePlan(plan)).toBe(outcome);
    if (plan?.kind !== "change") return;
    const loaded = await loadFiles(applyFiles(files, plan.files));
    expect(loaded.ok ? [] : loaded.problems).toEqual([]);
  });

  test.each([
    "The weather tool should accept kelvin",
    "Drop the location argument",
    "Set match_threshold to 0.5",
    "Make brief the default for weather",
  ])("keeps every example of the tools: %s", async (message) => {
    const plan = await planWith(message);
    if (plan?.kind !== "change") throw new Error(describePlan(plan));
    const after = applyFiles(files, plan.files);
    const loaded = await loadFiles(after);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const names = new Set(["runner.get_weather", "runner.chat"]);
    const tools = new Map([...loaded.version.tools].filter(([name]) => names.has(name)));
    const { examples } = await runExamples({
      version: { ...loaded.version, tools },
      readText: async (path) => after.get(path),
      trial,
    });
    expect(examples.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(examples.length).toBeGreaterThan(1);
  });

  test("really has the weather tool answer in kelvin, and changes nothing else", async () => {
    const plan = await planWith("The weather tool should accept kelvin");
    if (plan?.kind !== "change") throw new Error(describePlan(plan));
    const loaded = await loadFiles(applyFiles(files, plan.files));
    const tool = loaded.ok ? loaded.version.tools.get("runner.get_weather") : undefined;
    if (!loaded.ok || tool === undefined) throw new Error("the plan makes no version");
    expect(tool.examples).toEqual(ground.version.tools.get("runner.get_weather")?.examples);
    const [metric, kelvin] = await Promise.all(
      ["metric", "kelvin"].map((units) => trial.call(loaded.version, tool, { location: "Oslo", units })),
    );
    const temperatures = [metric, kelvin].map(
      (tried) => JSON.parse(JSON.stringify(tried?.result)).output.forecast.temperature,
    );
    expect(temperatures[1]).toBeCloseTo(temperatures[0] + 273.15, 5);
  });
});
