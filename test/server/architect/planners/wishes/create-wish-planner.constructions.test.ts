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
  for (const agent of ["shop", "tickets", "farm", "clinic", "freight"]) {
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

describe("examples are made of what messages say is given and what comes of it", () => {
  test.each([
    [
      "elements of a list with values of the input and of another example",
      "farm",
      "an example for the machine list: pool mac gives mac-02, which is idle",
      '`{"pool":"mac"}` gives `{"machines":[{"name":"mac-02","pool":"mac","state":"idle"}]}`',
    ],
    [
      "a list of words",
      "freight",
      "Example for the carrier list, please: by sea, whole world → Norfreight (code norfreight, modes road and sea).",
      '`{"mode":"sea","region":"world"}` gives `{"carriers":[{"code":"norfreight","name":"Norfreight","modes":["road","sea"]}]}`',
    ],
    [
      "an error, with what the nearest example has besides",
      "shop",
      "The docs of the checkout should show an example of an unknown coupon: two FURN-0301 with the code GRATIS ends with UNPROCESSABLE.",
      '`{"items":[{"sku":"FURN-0301","quantity":2}],"coupon":"GRATIS","address":{"name":"Jan","street":"Kade 1","city":"Gent","postcode":"9000","country":"BE"},"payment":"paypal"}` gives the error `UNPROCESSABLE`',
    ],
    [
      "nothing that is found",
      "tickets",
      'one more sample for article suggestions, question "How do I sell my tractor" in French, nothing comes back',
      '`{"question":"How do I sell my tractor","language":"fr"}` gives `{"articles":[]}`',
    ],
    [
      "units and what is left over",
      "shop",
      "Il manque un exemple pour les frais de port : 5 kg vers l'Allemagne (DE), résultat 12.9 et 3 jours.",
      '`{"destination":{"country":"DE"},"weight_kg":5}` gives `{"price":12.9,"days":3}`',
    ],
    [
      "code",
      "shop",
      "docs: add sample call `track_order {order_id: LL-123456}` -> `{status: shipped}`",
      '`{"order_id":"LL-123456"}` gives `{"status":"shipped"}`',
    ],
  ])("%s", async (_, agent, message, reading) => {
    const readings = await readingsOf(agent, message);
    expect(readings.filter((one) => one.includes(reading))).not.toEqual([]);
  });
});

describe("wishes that share something are read as one", () => {
  test.each([
    [
      "the default and the bound of a field",
      "farm",
      "list_machines: default limit 50, and no more than 200 at once",
      "The default of `limit` in the input of `fleet.list_machines` is `50`; it was `100`. The maximum of `limit` in the input of `fleet.list_machines` is `200`; it was `500`.",
    ],
    [
      "a title beside another wish",
      "tickets",
      'due_hours on new tickets: title "Answer due in", and allow up to 1000',
      "The title of `due_hours` in the input of `desk.create_ticket` is `Answer due in`. The maximum of `due_hours` in the input of `desk.create_ticket` is `1000`; it was `720`.",
    ],
    [
      "titles of several tools",
      "shop",
      'New titles, please: "Where is my order?" for orders.track_order and "Cancel my order" for orders.cancel_order.',
      "The title of `orders.cancel_order` is `Cancel my order`. The title of `orders.track_order` is `Where is my order?`.",
    ],
    [
      "one value for things that are listed",
      "farm",
      "For build_logs, list_artifacts and build_status the answer should come within 3 seconds.",
      "The time limit of `builds.build_logs` is `3000`; it was `4000`. The time limit of `builds.build_status` is `3000`; it was `10000`. The time limit of `builds.list_artifacts` is `3000`; it was `10000`.",
    ],
    [
      "wishes that are counted",
      "tickets",
      "1) new priority critical 2) tickets due in 48h by default 3) max 12 tags",
      "The default of `due_hours` in the input of `desk.create_ticket` is `48`; it was `72`. The maximum number of `tags` in the input of `desk.create_ticket` is `12`; it was `8`.",
    ],
    [
      "several values that go at once",
      "shop",
      "Drop card and voucher from the payment of place_order.",
      "`orders.place_order` no longer accepts `card` as `payment`. `orders.place_order` no longer accepts `voucher` as `payment`.",
    ],
    [
      "a value that is written in other letters than the message",
      "clinic",
      "登记新病人的时候，物种里没有仓鼠，请给 register_patient 加一个 hamster。",
      "`records.register_patient` accepts `hamster` as `species`.",
    ],
    [
      "a pattern as it is written",
      "shop",
      "coupon has to match ^[A-Z0-9]{4,16}$, we keep getting emoji in there",
      "The pattern of `coupon` in the input of `orders.place_order` is `^[A-Z0-9]{4,16}$`.",
    ],
    [
      "nobody as a number",
      "clinic",
      "If companions is not filled in it must count as nobody.",
      "The default of `companions` in the input of `visits.book_appointment` is `0`; it was `1`.",
    ],
    [
      "a new field that has to be given",
      "shop",
      "Add a mandatory integer door_code to place_order, between 1 and 9999.",
      "`orders.place_order` takes `door_code`, which its code does not use yet. `door_code` in the input of `orders.place_order` is required.",
    ],
  ])("%s", async (_, agent, message, reading) => {
    const readings = await readingsOf(agent, message);
    expect(readings.filter((one) => one.includes(reading))).not.toEqual([]);
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
    // Two tools have a limit, and only one of them can be raised to that; two have a reason, and one of them is required already.
    ["clinic", "Raise limit to 40."],
    ["clinic", "Please make limit 40 by default."],
    ["shop", "reason should be required."],
    // A field's name, and a word of a tool's title.
    ["tickets", "Drop note."],
  ])("in %s for %s", async (agent, message) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind ?? "reject").toBe("reject");
  });
});
