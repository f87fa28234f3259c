import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createEvidencePlanner } from "../../../../../server/architect/planners/evidence/create-evidence-planner.ts";
import { createDirectivePlanner } from "../../../../../server/architect/planners/directives/create-directive-planner.ts";
import type { Version } from "../../../../../server/versions/version.ts";
import { applyFiles, createGround, type Files, loadFiles, readCheckout } from "../../../../helpers/plan-ground.ts";
import { type Events, proposeAfter, rewardsOf } from "../../../../helpers/plan-evidence.ts";

let files: Files;
let version: Version;
const planner = createEvidencePlanner();
/** Better with a probability of 0.96, which is not yet enough for the stop rule. */
const BETTER = { weather: [...rewardsOf("brief", 0.7, 40), ...rewardsOf("full", 0.5, 40)] };
const WON = { weather: [...rewardsOf("brief", 0.9, 60), ...rewardsOf("full", 0.4, 60)] };
const FEW = { weather: [...rewardsOf("brief", 1, 6), ...rewardsOf("full", 0.5, 6)] };
const WORSE = { weather: [...rewardsOf("full", 0.6, 100), ...rewardsOf("brief", 0.5, 100)] };

beforeAll(async () => {
  files = await readCheckout();
  const loaded = await loadFiles(files);
  if (!loaded.ok) throw new Error("the checkout makes no version");
  version = loaded.version;
});

async function plan(message: string, events: Events, uris: readonly string[] = []) {
  const ground = await createGround(files, proposeAfter(version, events));
  const attachments = uris.map((uri) => ({ uri, mediaType: "application/jsonl", text: "" }));
  return planner.plan({ message, attachments }, ground);
}

describe("[A6] the planner of evidence", () => {
  test.each([
    "Reward was better with brief for weather.",
    "The rewards are clearly higher with brief than with full for weather",
    "brief got better rewards for weather. Please promote it.",
    "Adopt what tuning found for weather",
    "Promote the winner of weather, because people like it",
    "Adopt the winner",
  ])("promotes what is better by far: %s", async (message) => {
    expect(await plan(message, BETTER)).toEqual({
      kind: "tune",
      adjustments: [{ kind: "promote", experiment: "weather", arm: "brief" }],
    });
  });

  test("has nothing to promote where the stop rule did, and still makes it the default", async () => {
    expect(await plan("Adopt the winner", WON)).toMatchObject({
      kind: "reject",
      reason: expect.stringMatching(/active already.*The stop rule says `winner`/),
    });
    expect(await plan("Make the winner the default", WON)).toMatchObject({ kind: "change" });
  });

  test("makes a change of it where the defaults are to be others, with the evidence", async () => {
    const told = await plan("Reward was better with brief for weather. Make it the default.", BETTER);
    if (told?.kind !== "change") throw new Error(JSON.stringify(told));
    const { experiment, parameters } = parse(told.files.get("manifests/parameters/weather.yaml") ?? "");
    expect([...told.files.keys()]).toEqual(["manifests/parameters/weather.yaml"]);
    expect([parameters.detail.default, experiment.arms]).toEqual([
      "brief",
      { full: { detail: "full" }, brief: { detail: "brief" } },
    ]);
    expect(told).toMatchObject({
      bump: "patch",
      evidence: { experiment: "weather", arm: "brief", evidence: { arms: [{ arm: "full" }, { arm: "brief" }] } },
    });
    const after = await loadFiles(applyFiles(files, told.files));
    expect(after.ok && after.version.parameters.get("weather")?.experiment?.baseline).toBe("brief");
  });

  test.each([
    "Make the winner the default for weather",
    "Commit what tuning found for weather",
    "Make brief the default for weather",
  ])("takes as much: %s", async (message) => {
    expect(await plan(message, BETTER)).toMatchObject({
      kind: "change",
      changes: ["The parameter `weather.detail` is `brief` by default; it was `full`."],
    });
  });

  test("rejects what the evidence is against, or too little for, with the numbers and what would be enough", async () => {
    const few = await plan("Reward was better with brief for weather", FEW);
    expect(few).toMatchObject({
      kind: "reject",
      reason: expect.stringMatching(
        /does not support this.*`brief` has a mean reward of 1 over 6 rewards.*too_few_samples/,
      ),
      accepted: expect.stringContaining("at least 30 rewards"),
    });
    const against = await plan("Reward was better with brief for weather", WORSE);
    expect(against).toMatchObject({
      kind: "reject",
      reason: expect.stringContaining("`full` has a mean reward of 0.6 over 100 rewards"),
    });
    expect(await plan("Reward was better with brief for weather", {})).toMatchObject({
      kind: "reject",
      reason: "Nothing is known yet of `weather`.",
    });
  });

  test("finds the experiment in what is attached", async () => {
    const uri = "eval://micro_results.jsonl?experiment=weather";
    expect(await plan("Make it the default", BETTER, [uri])).toMatchObject({ kind: "change" });
    expect(await plan("Make it the default", BETTER, ["eval://micro_results.jsonl?experiment=chat"])).toMatchObject({
      kind: "reject",
      reason: "Nothing is known yet of `chat`.",
    });
    expect(await plan("Make the evaluation the default", BETTER, ["state://staging"])).toMatchObject({
      kind: "change",
    });
  });

  test("asks which arm or experiment is meant", async () => {
    expect(await plan("Reward was better with brief", BETTER)).toMatchObject({
      kind: "reject",
      reason: "Several experiments have an arm `brief`: `replies` and `weather`.",
    });
    expect(await plan("Reward was better with B", BETTER)).toMatchObject({
      kind: "reject",
      reason: "No experiment has an arm `B`.",
    });
    expect(await plan("Reward was better with brief for weather. full won for weather.", BETTER)).toMatchObject({
      kind: "reject",
      reason: expect.stringContaining("contradict each other"),
    });
    expect(await plan("Adopt the winner. Paint the house.", BETTER)).toMatchObject({
      kind: "reject",
      reason: expect.stringContaining('this is not: "Paint the house."'),
    });
  });

  test("promotes preferences only where following them was right often enough", async () => {
    const fit = { pairs: "0".repeat(64), count: 120, estimates: {}, values: { length: "brief" } };
    const fitted = (threshold: number | null) => ({
      replies: [{ kind: "fitted", fit: { ...fit, threshold }, at: 1 } as const],
    });
    expect(await plan("Adopt what tuning found for replies", fitted(null))).toMatchObject({
      kind: "reject",
      reason: expect.stringContaining("120 comparisons of `replies` prefer"),
    });
    expect(await plan("Adopt what tuning found for replies", fitted(0.2))).toEqual({
      kind: "tune",
      adjustments: [{ kind: "promote", experiment: "replies", values: { length: "brief" } }],
    });
  });

  test("leaves a search alone until it has ended", async () => {
    const told = { chat: [{ kind: "told", candidate: "0", scaled: 0.5, at: 1 } as const] };
    expect(await plan("Adopt the winner of chat", told)).toMatchObject({ kind: "reject" });
  });

  test("leaves all else to others, and is left what is about evidence", async () => {
    expect(await plan("Use it.", BETTER)).toBeUndefined();
    expect(await plan("What is the weather in Paris?", BETTER)).toBeUndefined();
    const ground = await createGround(files);
    const message = "Reward was better with brief for weather. Promote brief for weather.";
    expect(await createDirectivePlanner().plan({ message, attachments: [] }, ground)).toBeUndefined();
    expect(await plan(message, FEW)).toMatchObject({
      kind: "reject",
      reason: expect.stringContaining("does not support"),
    });
  });
});

describe("values that somebody promoted before there was any reward", () => {
  const PROMOTED = { kind: "promoted", values: { detail: "brief" }, by: "ada", at: 0 } as const;
  const commit = async (events: Events) => {
    const ground = await createGround(files, proposeAfter(version, events));
    return createDirectivePlanner().plan(
      { message: "Make the promoted values of weather the defaults", attachments: [] },
      ground,
    );
  };

  test.each([[{ ...PROMOTED, arm: "brief" }], [PROMOTED]])("become the defaults: %j", async (promoted) => {
    expect(await commit({ weather: [promoted] })).toMatchObject({
      kind: "change",
      changes: ["The parameter `weather.detail` is `brief` by default; it was `full`."],
      evidence: { values: { detail: "brief" }, isActive: true, evidence: { arms: [{ rewards: 0 }, { rewards: 0 }] } },
    });
  });

  test("are no winner", async () => {
    expect(await plan("Make the winner of weather the default", { weather: [PROMOTED] })).toMatchObject({
      kind: "reject",
      reason: expect.stringMatching(/^The evidence does not support this.*`brief` has no mean reward over 0 rewards/),
    });
  });

  test("are what is needed: without them nothing is known", async () => {
    expect(await commit({})).toMatchObject({
      kind: "reject",
      reason: expect.stringContaining("Nothing is known of `weather` yet"),
    });
  });
});
