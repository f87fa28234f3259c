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
    [
      "a right that is described, of the role that is named first",
      "freight",
      "Drivers get asked about claims at the door all the time. They should be allowed to look up how far a claim has come.",
      "The role `driver` grants `tool:parcels.claim_status`.",
    ],
    [
      "a new role with rights in words",
      "shop",
      "There's nothing between guest and customer. We'd need a `courier` that may track orders, and only that.",
      "There is a role `courier`, which grants `tool:orders.track_order`.",
    ],
    [
      "a capability with the roles that get it",
      "freight",
      "Exigez la capacité `driver:write` pour écrire aux chauffeurs, et accordez-la au rôle dispatcher et au rôle lead.",
      "The role `lead` grants `driver:write`. Callers of `dispatch.message_driver` must hold `driver:write`.",
    ],
    [
      "no capability at all",
      "farm",
      "Anybody who gets in here at all should be able to ask for the queue forecast, so let it demand no capability.",
      "Callers of `fleet.queue_forecast` need not hold `fleet:read`.",
    ],
    [
      "a host that is listed and not wanted",
      "shop",
      "Nothing asks rates.bank.example any more. Off the list of allowed hosts with it.",
      "Tools can no longer reach `rates.bank.example`.",
    ],
    [
      "a command without a word for commands",
      "tickets",
      "npm ci downloads from the internet, that worries me; it shouldn't be allowed any longer",
      "Runs may no longer execute `npm ci`.",
    ],
    [
      "a promise by what it means",
      "freight",
      "Calling off one pickup twice has no further effect. Mark it idempotent, so that clients are allowed to try again.",
      "`dispatch.cancel_pickup` is `true`; it was `false`.",
    ],
    [
      "the end of a tool with its dates, its reason and what comes after it",
      "shop",
      'Product search is deprecated since 2027-01-01, in favour of catalog.get_product. Reason: "It is slow."',
      "`catalog.search_products` is deprecated from 2027-01-01 on: It is slow. `catalog.get_product` is its successor.",
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
