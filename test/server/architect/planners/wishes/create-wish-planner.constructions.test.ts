import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import type { Plan } from "../../../../../server/architect/planners/plan.ts";
import { createWishPlanner } from "../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { createSentencePlanner } from "../../../../../server/architect/planners/wishes/create-sentence-planner.ts";
import { createGround } from "../../../../helpers/plan-ground.ts";

const AGENTS = join(import.meta.dirname, "../../../../evaluation/agents");
const grounds = new Map<string, Ground>();

beforeAll(async () => {
  for (const agent of ["shop", "tickets", "farm", "freight"]) {
    const folder = join(AGENTS, agent);
    const paths = [...globSync("{manifests,tools}/**/*.*", { cwd: folder }), "versions.yaml"];
    const files = new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
    grounds.set(agent, await createGround(files));
  }
});

async function planOf(agent: string, message: string): Promise<Plan | undefined> {
  const ground = grounds.get(agent);
  if (ground === undefined) throw new Error(`${agent} is not loaded`);
  const feedback = { message, attachments: [] };
  return (await createSentencePlanner().plan(feedback, ground)) ?? createWishPlanner().plan(feedback, ground);
}

/** What is done at once, or each of the readings that are offered. */
async function readingsOf(agent: string, message: string): Promise<readonly string[]> {
  const plan = await planOf(agent, message);
  if (plan?.kind === "change") return [plan.changes.join(" ")];
  return plan?.kind === "reject" ? (plan.readings ?? []).map(({ title }) => title) : [];
}

describe("constructions that people use are read", () => {
  test.each([
    [
      "times of several words, a present one and another",
      "freight",
      "Senders hear from us three quarters of an hour before the van. An hour and a half, please.",
      "The parameter `pickups.reminder_minutes` is `90` by default; it was `45`.",
    ],
    [
      "one in so many",
      "freight",
      "offers test: bail out once more than one call in fifty goes wrong",
      "The error rate of the experiment `offers` is `0.02`; it was `0.03`.",
    ],
    [
      "a limit of what has none of its own",
      "farm",
      "Handlers that name no processor limit of their own inherit one second. Raise this general CPU limit to 1500 ms.",
      "The cpu limit of the agent is `1500`; it was `1000`.",
    ],
    [
      "a limit where none is set yet",
      "shop",
      "Nothing holds back those who read all our reviews, so let's cap it at 120 calls a minute.",
      "The rate limit of `catalog.list_reviews` is `120`.",
    ],
    [
      "a value for two tools at once",
      "farm",
      "Please add linux-riscv64 as a target, both for builds and for forecasts.",
      "`builds.start_build` accepts `linux-riscv64` as `target`. `fleet.queue_forecast` accepts `linux-riscv64` as `target`.",
    ],
    [
      "a name within a sentence as a value",
      "shop",
      "People ask for Klarna among the payment methods, please add it.",
      "`orders.place_order` accepts `klarna` as `payment`.",
    ],
    [
      "the end of an experiment",
      "tickets",
      "We got what we wanted out of the comparison of the article suggestions. Please end it.",
      "The parameters `suggestions` are no longer tuned.",
    ],
    [
      "a value in another form",
      "shop",
      "We don't take vouchers at the till any longer, so customers shouldn't be able to pay with one either.",
      "`orders.place_order` no longer accepts `voucher` as `payment`.",
    ],
    [
      "nothing without something",
      "freight",
      "No claim without a story, please.",
      "`story` in the input of `parcels.open_claim` is required.",
    ],
    [
      "a title that is quoted and another one",
      "shop",
      '"Return request" sounds like paperwork. Call it "Send it back".',
      "The title of `orders.request_return` is `Send it back`.",
    ],
    [
      "a complaint with the value that is wanted",
      "shop",
      "We now ship parcels of up to 40 kilos",
      "The maximum of `weight_kg` in the input of `orders.quote_shipping` is `40`; it was `30`.",
    ],
    [
      "a share that keeps its unit",
      "freight",
      "Our margin of eight percent is too thin, we need ten.",
      "The parameter `offers.margin` is `0.1` by default; it was `0.08`.",
    ],
    [
      "a right by a verb that looks like taking one away",
      "farm",
      "Release managers must be able to stop a build.",
      "The role `release-manager` grants `build:stop`.",
    ],
  ])("%s", async (_, agent, message, reading) => {
    const readings = await readingsOf(agent, message);
    expect(readings.filter((one) => one.includes(reading))).not.toEqual([]);
  });

  test("rights that a role gets beside those that it loses", async () => {
    const readings = await readingsOf("tickets", "Interns should get kb:translate and lose ticket:read.");
    const exchanged = readings.find((one) => one.includes("`kb:translate`") && one.includes("`ticket:read`"));
    expect(exchanged).toContain("The role `intern` grants `kb:translate`.");
  });
});

describe("nothing is done", () => {
  test.each([
    ["shop", "Under no circumstances drop invoice from the payment methods."],
    ["tickets", "It would be a mistake to drop phone from the channels."],
    ["tickets", "Nobody sends us letters these days. Strike that from the channels."],
    ["shop", "If legal agrees, drop invoice from the payment methods."],
    ["tickets", "Don't even think about raising the note to 1000 characters."],
    ["farm", "Unless ops objects, max_retries goes to 3."],
    ["farm", "We must not keep logs for 90 days, the law says so."],
  ])("in %s for %s", async (agent, message) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind ?? "reject").toBe("reject");
  });
});
