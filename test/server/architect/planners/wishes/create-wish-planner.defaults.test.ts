import { beforeAll, describe, expect, test } from "vitest";
import { type Agents, openAgents } from "../../../../helpers/open-agents.ts";

let agents: Agents;

beforeAll(async () => {
  agents = await openAgents(["example", "farm", "library", "marina", "school", "shop"]);
});

describe("[A9] defaults, bounds and values in everyday words", () => {
  test.each([
    [
      "example",
      "artifact_create: when no language is passed, assume typescript",
      "The default of `language` in the input of `artifact_create` is `typescript`; it was `javascript`.",
    ],
    [
      "example",
      "task_list should give 100 tasks when nobody says a limit.",
      "The default of `limit` in the input of `task_list` is `100`; it was `50`.",
    ],
    [
      "school",
      "find_pupils should return 40 pupils unless somebody asks for a different limit",
      "The default of `limit` in the input of `pupils.find_pupils` is `40`; it was `20`.",
    ],
    [
      "example",
      "alpha in decide_evaluate defaults to 0.5, we'd rather have 0.3 there",
      "The default of `alpha` in the input of `decide_evaluate` is `0.3`; it was `0.5`.",
    ],
    [
      "example",
      "model_temperature should start at 0.4, right now the replies read like a form letter",
      "The parameter `chat_model.model_temperature` is `0.4` by default; it was `0.2`.",
    ],
    [
      "example",
      "task_claim: never accept a duration_sec under 30",
      "The minimum of `duration_sec` in the input of `task_claim` is `30`; it was `5`.",
    ],
    [
      "farm",
      "grace_minutes of drain_machine must not be below 5",
      "The minimum of `grace_minutes` in the input of `fleet.drain_machine` is `5`; it was `0`.",
    ],
    [
      "example",
      "Stop treating edge_id as mandatory in edge.propagate",
      "`edge_id` in the input of `edge.propagate` is optional. Its handler may count on it.",
    ],
    [
      "library",
      "voucher should no longer be accepted as a method in settle-fine",
      "`loans.settle-fine` no longer accepts `voucher` as `method`.",
    ],
    [
      "marina",
      "sauna can be booked now, so it belongs into the extras of berths.reserve",
      "`berths.reserve` accepts `sauna` as `extras`.",
    ],
    [
      "marina",
      "quote_job: remove whenever from urgency",
      "`yard.quote_job` no longer accepts `whenever` as `urgency`.",
    ],
    [
      "school",
      "The output status of report_absence should list `unexcused` as a third possible value.",
      "`pupils.report_absence` may give `unexcused` as `status`. Its code does not know that value yet.",
    ],
  ])("are done at once: %s: %s", async (agent, message, changes) => {
    expect(await agents.changesOf(agent, message)).toBe(changes);
  });

  test.each([
    ["example", "if no language is given and the caller is new, assume typescript"],
    ["example", "task_claim doesn't accept a duration_sec below 5"],
    ["example", "Don't accept a duration_sec below 30 yet, just warn"],
    ["example", "Don't stop requiring edge_id in edge.propagate"],
    ["example", "model_temperature should not start at 0.4"],
    ["example", "The time limit of runner.chat must not be 30 seconds"],
    ["example", "validate_artifact_args: off, warn and on are enough."],
    ["example", "get_weather is idempotent"],
    ["example", "alpha in decide_evaluate defaults to 0.5, I'd rather have 0.4 there for large decisions"],
    ["farm", "The default of packing is dense"],
    ["marina", "don't remove whenever from urgency"],
    ["marina", "sauna can be booked now, but it does not belong into the extras of berths.reserve"],
    ["marina", "Quotes should hold for 30 days unless the yard is full"],
    ["school", "find_pupils should return 40 pupils unless somebody asks for a different class"],
    ["shop", "Take invoice out of the payment methods for new customers"],
  ])("are not guessed from what says something else: %s: %s", async (agent, message) => {
    expect(await agents.changesOf(agent, message)).toBeUndefined();
  });
});
