import { beforeAll, describe, expect, test } from "vitest";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import type { Plan } from "../../../../../server/architect/planners/plan.ts";
import {
  createWishPlanner,
  createWishReader,
} from "../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { createSentencePlanner } from "../../../../../server/architect/planners/wishes/create-sentence-planner.ts";
import { compareVersions } from "../../../../../server/semver/compare-versions.ts";
import { applyFiles, createGround, type Files, loadFiles, readAgent } from "../../../../helpers/plan-ground.ts";

const read = createWishReader();
const sentences = createSentencePlanner(read);
const wishes = createWishPlanner(read);
const grounds = new Map<string, Ground>();
const trees = new Map<string, Files>();

beforeAll(async () => {
  for (const agent of ["shop", "tickets", "farm", "clinic", "freight"]) {
    const files = await readAgent(agent);
    trees.set(agent, files);
    grounds.set(agent, await createGround(files));
  }
});

async function planOf(agent: string, message: string): Promise<Plan | undefined> {
  const ground = grounds.get(agent);
  if (ground === undefined) throw new Error(`${agent} is not loaded`);
  const feedback = { message, attachments: [] };
  return (await sentences.plan(feedback, ground)) ?? wishes.plan(feedback, ground);
}

/** What is done at once, or each of the readings that are offered. */
async function readingsOf(agent: string, message: string): Promise<readonly string[]> {
  const plan = await planOf(agent, message);
  if (plan?.kind === "change") return [plan.changes.join(" ")];
  return plan?.kind === "reject" ? (plan.readings ?? []).map(({ title }) => title) : [];
}

describe("the bump that a plan asks for is the one that its difference needs", () => {
  test.each([
    ["tickets", "Stop the experiment on suggestions."],
    ["shop", "Remove the arm profit of the experiment ranking."],
    ["shop", "El brazo profit de ranking debería llamarse revenue."],
    ["shop", "Take rates.bank.example off the egress list."],
    ["farm", "Runs may execute `cargo test`, too."],
  ])("%s: %s", async (agent, message) => {
    const plan = await planOf(agent, message);
    const [one] = plan?.kind === "reject" ? (plan.readings ?? []) : plan?.kind === "change" ? [plan] : [];
    const files = new Map(one?.files instanceof Map ? one.files : Object.entries(one?.files ?? {}));
    const after = await loadFiles(applyFiles(trees.get(agent) ?? new Map(), files));
    const ground = grounds.get(agent);
    if (!after.ok || ground === undefined) throw new Error(`${agent}: ${message}`);
    expect([one?.bump, compareVersions(ground.version, after.version).required]).toEqual(["patch", "patch"]);
  });
});

describe("constructions that people use are read", () => {
  test.each([
    [
      "a title in Chinese quotation marks right behind a word",
      "tickets",
      "请把 desk.search_tickets 的标题改成“Find tickets”。",
      "The title of `desk.search_tickets` is `Find tickets`.",
    ],
    [
      "a title that replaces another in quotation marks",
      "tickets",
      "create_ticket 里 due_hours 的标题别再叫 “Due in” 了，改成 “Answer within”，其他不动。",
      "The title of `due_hours` in the input of `desk.create_ticket` is `Answer within`.",
    ],
    [
      "what a description is to ask of its readers",
      "freight",
      "Can the explanation of gate_code tell people to include the #?",
      "The description of `address.gate_code` in the input of `dispatch.book_pickup` is `What opens the gate. Include the #.`.",
    ],
    [
      "a new arm with a value in other words",
      "shop",
      "For the ranking test I'd like to try one more mix. Name it bargain; margin leads, but categories are spread at 0.35.",
      "The experiment `ranking` has an arm `bargain`.",
    ],
    [
      "another name for an arm",
      "shop",
      "El brazo profit de ranking debería llamarse revenue.",
      "The arm `profit` of the experiment `ranking` is called `revenue`.",
    ],
    [
      "wishes of several kinds between semicolons",
      "farm",
      "watcher gets build:logs; operator loses architect:tune; start_build counts 15 units",
      "The role `watcher` grants `build:logs`. The role `operator` no longer grants `architect:tune`. The cost of `builds.start_build` is `15`; it was `10`.",
    ],
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
    [
      "why a tool is deprecated",
      "tickets",
      "knowledge.translate_reply should be flagged as deprecated, because Lingua ends our contract next year.",
      "`knowledge.translate_reply` is deprecated: Lingua ends our contract next year.",
    ],
    [
      "why, in the sentence before, and what comes next, which is not what is deprecated",
      "freight",
      "Nobody calls list_carriers now that quotes ask all carriers by themselves. Would you mark the tool as deprecated and point people to dispatch.quote_rates?",
      "`dispatch.list_carriers` is deprecated: Quotes ask all carriers by themselves. `dispatch.quote_rates` is its successor.",
    ],
    [
      "a field of a tool that is deprecated, and why",
      "farm",
      "submodules in builds.start_build should be deprecated because git does it itself these days",
      "`submodules` in the input of `builds.start_build` is deprecated.",
    ],
    [
      "a deprecation in German with its successor",
      "shop",
      "Bitte orders.track_order als veraltet kennzeichnen, weil Parcelway das selbst zeigt. Nachfolger ist catalog.get_product.",
      "`orders.track_order` is deprecated: Weil Parcelway das selbst zeigt. `catalog.get_product` is its successor.",
    ],
    [
      "a new field that belongs below an object",
      "tickets",
      'merge this into the requester of create_ticket please: {"phone": {"type": "string", "maxLength": 25}}',
      "`input.properties.requester.properties.phone` in manifests/desk/create_ticket.yaml",
    ],
    [
      "YAML without a fence",
      "shop",
      "Bitte in catalog.search_products übernehmen:\n\nlimits:\n  time: 9000",
      "`limits.time` in manifests/catalog/search_products.yaml is `9000`.",
    ],
    [
      "another value in an example and in its description",
      "farm",
      "Im Beispiel von drain_machine soll die Maschine lin-02 heißen, in der Beschreibung genauso.",
      "`description` in the example 1 of `fleet.drain_machine` is `New disk for lin-02`.",
    ],
    [
      "what an example searches for",
      "shop",
      "show with an example how somebody searches for blanket within textiles",
      '`{"query":"blanket","category":"textiles"}`',
    ],
    [
      "another name for a role",
      "farm",
      "release-manager -> releaser, rights unchanged",
      "The role `release-manager` is called `releaser`.",
    ],
    [
      "another name for a role, in another language",
      "farm",
      "El rol watcher pasa a llamarse observador.",
      "The role `watcher` is called `observador`.",
    ],
    [
      "another name for a tool without its server",
      "shop",
      "quote_shipping reads backwards, call it shipping_quote",
      "The tool `orders.quote_shipping` is called `orders.shipping_quote`.",
    ],
    [
      "the name of a new role behind the word for new",
      "clinic",
      "Hace falta un rol nuevo, groomer, que pueda usar visits.find_slots y nada más.",
      "There is a role `groomer`, which grants `tool:visits.find_slots`.",
    ],
    [
      "rights that several roles get and lose, beside another wish",
      "farm",
      "watcher gets build:logs; operator loses architect:tune; start_build counts 15 units",
      "The role `watcher` grants `build:logs`. The role `operator` no longer grants `architect:tune`. The cost of `builds.start_build` is `15`",
    ],
    [
      "a right that stays beside one that goes",
      "farm",
      "ci should keep build:start but lose build:read",
      "The role `ci` no longer grants `build:read`.",
    ],
    [
      "a role in another language",
      "clinic",
      "前台也要能查疫苗库存",
      "The role `receptionist` grants `tool:office.vaccine_stock`.",
    ],
    [
      "a capability in place of another, with the role that gets it",
      "tickets",
      "desk.close_ticket ought to require ticket:close in place of ticket:write. The role agent gets ticket:close, leads have everything anyway.",
      "The role `agent` grants `ticket:close`. Callers of `desk.close_ticket` must hold `ticket:close`. Callers of `desk.close_ticket` need not hold `ticket:write`.",
    ],
    [
      "a rate where there is none yet",
      "shop",
      "quote_shipping: no more than 40 calls every minute",
      "The rate limit of `orders.quote_shipping` is `40`.",
    ],
    [
      "calls at once where nothing limits them yet",
      "tickets",
      "suggest_articles como mucho tres a la vez por tenant",
      "The concurrency of `knowledge.suggest_articles` is `3`.",
    ],
    [
      "a cost of a single unit",
      "shop",
      "Ein Versandangebot sollte nur noch eine Einheit kosten",
      "The cost of `orders.quote_shipping` is `1`; it was `2`.",
    ],
    [
      "no cost at all",
      "shop",
      "Buscar productos no debería costar nada",
      "The cost of `catalog.search_products` is `0`; it was `1`.",
    ],
  ])("%s", async (_, agent, message, reading) => {
    const readings = await readingsOf(agent, message);
    expect(readings.filter((one) => one.includes(reading))).not.toEqual([]);
  });

  test.each([
    'My colleague wrote the following, what do you think of it?\n```json\n{"catalog.search_products": {"limits": {"time": 9000}}}\n```',
    'Don\'t apply this yet:\n```json\n{"catalog.search_products": {"limits": {"time": 9000}}}\n```',
    'The customer wrote: merge this into catalog.search_products {"limits": {"time": 9000}}',
  ])("offers no document that nobody puts anywhere: %s", async (message) => {
    expect(await readingsOf("shop", message)).toEqual([]);
  });

  test("deprecates nothing at once where what comes next is unknown", async () => {
    const plan = await planOf("shop", "Mark orders.track_order as deprecated, use orders.list_orders instead");
    expect(plan?.kind).toBe("reject");
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
    ["tickets", "Don't you dare drop phone from the channels."],
    [
      "shop",
      "People have been asking to pay by klarna, it should be among the payment methods next to card and paypal.",
    ],
    ["shop", 'place_order\'s title used to be "Buy now", then Mara changed it to Checkout.'],
    ["shop", "Before anyone raises the gift note to 500 characters: the printer can only do 200."],
    [
      "freight",
      "Dès que le service juridique aura donné son accord, passez le maximum d'amount de open_claim à 20000.",
    ],
    ["farm", "Would raising max_retries to 5 slow the queue down?"],
    ["farm", "when the new SSDs are in: keep_logs_days to 90"],
    ["farm", "bump max_retries to 5 after the release"],
    ["tickets", "search_tickets 的 limit 默认是 25 还是 50？我们文档里写的是 50。"],
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
