import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../helpers/open-agents.ts";

const {
  planOf,
  firstOffered,
  changesOf: doneOf,
} = await openAgents(["example", "clinic", "farm", "freight", "school", "tickets"]);

async function changesOf(agent: string, message: string): Promise<readonly string[] | undefined> {
  const plan = await planOf(agent, message);
  return plan?.kind === "change" ? plan.changes : undefined;
}

describe("[A9] the arm that everybody gets", () => {
  test.each([
    ["freight", "Offers: stop the test, everyone gets haste", { experiment: "offers", arm: "haste" }],
    [
      "tickets",
      "Article suggestions: finish the experiment, strict for everybody",
      { experiment: "suggestions", arm: "strict" },
    ],
    ["school", "Stop the cover experiment and give familiar to everyone", { experiment: "cover", arm: "familiar" }],
  ])("is promoted as its test ends (%s: %s)", async (agent, message, { experiment, arm }) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "tune" ? plan.adjustments : plan).toEqual([{ kind: "promote", experiment, arm }]);
  });

  test("is not promoted where everybody only likes it", async () => {
    expect((await planOf("freight", "Everybody likes haste in the offers"))?.kind).not.toBe("tune");
  });

  test("is none where the experiment just ends", async () => {
    expect(await changesOf("example", "End the weather experiment")).toEqual([
      "The parameters `weather` are no longer tuned.",
    ]);
  });
});

describe("[A9] a place is found by what people say of it", () => {
  test.each([
    [
      "what is left out, by the default that counts then",
      "example",
      "let limit of task_list be 60 when the caller leaves it out",
      "The default of `limit` in the input of `task_list` is `60`; it was `50`.",
    ],
    [
      "a number, by the unit that the other one has",
      "example",
      "exec_run: default timeout 50 s instead of 45",
      "The default of `timeout` in the input of `exec_run` is `50000`; it was `45000`.",
    ],
    [
      "a bound, by the latest that is allowed",
      "school",
      "send_hour: the latest allowed value should be 19",
      "The maximum of the parameter `letters.send_hour` is `19`; it was `21`.",
    ],
    [
      "how many things a tool gives, by the field that says so",
      "example",
      "genesis_store.list should be able to return up to 400 artifacts in one call",
      "The maximum of `limit` in the input of `genesis_store.list` is `400`; it was `200`.",
    ],
    [
      "the days after which a version is retired",
      "farm",
      "Versions may be retired after 45 quiet days",
      "The quiet days of the policy `quotas` are `45`; they were `90`.",
    ],
    [
      "a title of a tool that has a field of that name",
      "example",
      'title of task_create: "Another task"',
      "The title of `task_create` is `Another task`.",
    ],
    [
      "a text of a field, beside the tool's own",
      "example",
      "The description of conversation_id in runner.chat's input should read 'Which conversation goes on.'",
      "The description of `conversation_id` in the input of `runner.chat` is `Which conversation goes on.`.",
    ],
    [
      "a value that is kept out of logs",
      "example",
      "stdin of exec_run must be redacted from logs",
      "`stdin` of `exec_run` is kept out of logs.",
    ],
    [
      "a file whose changes wait for a person",
      "school",
      "Protect manifests/office/order_lunch.yaml as well",
      "Changes of `manifests/office/order_lunch.yaml` wait for a person.",
    ],
    [
      "an example, by what it alone shows",
      "school",
      "remove the lobster example of order_lunch",
      "`office.order_lunch` has an example less.",
    ],
    [
      "a resource, by its address",
      "example",
      "Remove the resource s3://openmeteo/data/ from the runner",
      "The resource `s3://openmeteo/data/` of the server `runner` is gone.",
    ],
    [
      "a part of a resource, by the form of what takes its place",
      "freight",
      'The zones resource should say "zone B within 300 km"',
      "The resource `zones` of the server `dispatch` reads otherwise.",
    ],
  ])("%s", async (_, agent, message, change) => {
    expect(await changesOf(agent, message)).toEqual([change]);
  });

  test("both bounds, by what a number lies between", async () => {
    expect(await changesOf("example", "weights in edge.bind have to lie between -50 and 50")).toEqual([
      "The minimum of `weight` in the input of `edge.bind` is `-50`.",
      "The maximum of `weight` in the input of `edge.bind` is `50`.",
    ]);
  });

  test("what an example is given and expects, where both are said", async () => {
    const message =
      "First example of node.create: use an energy of 60 instead of 100, in the input and in what it expects";
    expect(await firstOffered("example", message)).toBe(
      "`input.energy` in the example 1 of `node.create` is `60`. `matches.properties.energy.const` in the example 1 of `node.create` is `60`.",
    );
  });
});

describe("[A9] what is likeliest is done or offered first", () => {
  test.each([
    [
      "a field that callers may leave out stays",
      "example",
      "edge_id isn't used by edge.propagate, so callers should be able to leave it out",
      "`edge_id` in the input of `edge.propagate` is optional. Its handler may count on it.",
    ],
    [
      "a command comes beside those that there are",
      "farm",
      "Workspaces should be able to run `make docs`, not only `make check`",
      "Runs may execute `make docs`.",
    ],
    [
      "a role is called by what stands behind the colon",
      "example",
      "new role for the search bot: searcher. repository_search plus repository_impact",
      "There is a role `searcher`, which grants `tool:repository_search`, `tool:repository_impact`.",
    ],
  ])("%s", async (_, agent, message, title) => {
    expect((await doneOf(agent, message)) ?? (await firstOffered(agent, message))).toBe(title);
  });
});

test("[A9] a sentence that is appended comes behind the description that there is", async () => {
  const message = "Please append this sentence to the description of task_release: Use it when a worker goes home.";
  const plan = await planOf("example", message);
  const changes = plan?.kind === "change" ? plan.changes : [];
  expect(changes.join(" ")).toMatch(/^The description of `task_release` is `Lets go of a task/);
});

describe("[A9] nothing is done", () => {
  test.each([
    [
      "where something is to be seen in logs again",
      "clinic",
      "owner_phone of book_appointment should not be redacted any more",
    ],
    ["where a file is only spoken of", "school", "Is manifests/office/order_lunch.yaml protected?"],
    ["where numbers are only told", "example", "Weights in edge.bind were between -50 and 50 last week"],
    ["where an example is only odd", "school", "The lobster example of order_lunch made us laugh"],
  ])("%s", async (_, agent, message) => {
    expect(["reject", undefined]).toContain((await planOf(agent, message))?.kind);
  });
});
