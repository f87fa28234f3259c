import { describe, expect, test } from "vitest";
import type { RejectPlan } from "../../../../../../server/architect/planners/plan.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { planOf, changesOf } = await openAgents(["shop", "tickets", "farm"]);

async function refusalOf(agent: string, message: string): Promise<RejectPlan | undefined> {
  const plan = await planOf(agent, message);
  return plan?.kind === "reject" ? plan : undefined;
}

describe("a name that there is not", () => {
  test.each([
    ["shop", "Remove the tool track_parcel."],
    ["shop", "Remove the tool list_orders."],
    ["tickets", "Deprecate open_ticket."],
    ["tickets", "Remove the tool reopenTicket."],
    ["farm", "Set max_backoff to 4."],
    ["farm", "Set keep_builds_days to 14."],
    ["farm", "Make build_kind of list_artifacts required."],
  ])("is not taken for one that shares words with it: %s %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("is offered what is near to it", async () => {
    const refusal = await refusalOf("shop", "Remove the tool track_parcel.");
    expect(refusal?.readings?.[0]?.title).toBe("The tool `orders.track_order` is removed.");
  });

  test("may be a slip of one letter, or of style", async () => {
    expect(await changesOf("farm", "Set max_retris to 4.")).toBe(
      "The parameter `recovery.max_retries` is `4` by default; it was `2`.",
    );
    expect(await changesOf("shop", "Remove the tool trackOrder.")).toBe("The tool `orders.track_order` is removed.");
  });

  test("may be one that is to be", async () => {
    expect(await changesOf("shop", "Rename track_order to follow_parcel.")).toBe(
      "The tool `orders.track_order` is called `orders.follow_parcel`.",
    );
  });
});

describe("what is to be taken from a thing", () => {
  test("is never the thing, and its values are told", async () => {
    const refusal = await refusalOf("tickets", "Remove carbon from signature of add_comment.");
    expect(refusal?.reason).toBe("`signature` of `desk.add_comment` cannot be `carbon` anyway.");
    expect(refusal?.accepted).toBe("It can be `none`, `team`, `personal`.");
  });

  test.each([
    ["farm", "Remove tarball from kind of list_artifacts."],
    ["tickets", "Entferne See aus signature."],
    ["tickets", "Remove it from signature."],
  ])("is not its tool, nor told in words that else say nothing: %s %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("is not done by halves", async () => {
    expect(await changesOf("tickets", "Drop carbon and personal from signature.")).toBeUndefined();
    expect(await changesOf("tickets", "Drop personal from signature.")).toBe(
      "`desk.add_comment` no longer accepts `personal` as `signature`.",
    );
  });

  test("may be a field of a tool", async () => {
    expect(await changesOf("tickets", "Remove the pager argument from assign_ticket.")).toContain(
      "`desk.assign_ticket` takes no `pager` any more.",
    );
  });
});

describe("words for keys", () => {
  test.each([
    ["farm", "Raise the maximum to 3000."],
    ["farm", "Increase the maximum by 10."],
    ["shop", "Raise the minimum to 2."],
    ["tickets", 'Change the title to "Comment".'],
  ])("name no thing by themselves: %s %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("name a bound, whose step is in its own unit", async () => {
    expect(await changesOf("farm", "Raise the cap of keep_logs_days by 35.")).toBe(
      "The maximum of the parameter `recovery.keep_logs_days` is `400`; it was `365`.",
    );
    expect(await changesOf("farm", "Raise the bound of max_retries by 3.")).toBe(
      "The maximum of the parameter `recovery.max_retries` is `8`; it was `5`.",
    );
    expect(await changesOf("farm", "Increase the lower bound of backoff_seconds by 1.")).toBe(
      "The minimum of the parameter `recovery.backoff_seconds` is `2`; it was `1`.",
    );
  });
});

describe("a verb", () => {
  test.each([
    ["farm", "Cut the maximum of max_size_mb to 4096."],
    ["farm", "Raise the maximum of keep_logs_days to 90."],
    ["farm", "Raise the maximum of max_retries from 5 to 3."],
    ["tickets", "Shorten the note of assign_ticket to 400 characters."],
  ])("that goes against its value is asked about: %s %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
    expect((await refusalOf(agent, message))?.readings).not.toEqual([]);
  });

  test("that goes with its value is done", async () => {
    expect(await changesOf("tickets", "Shorten the note of assign_ticket to 200 characters.")).toBe(
      "The maximum length of `note` in the input of `desk.assign_ticket` is `200`; it was `300`.",
    );
  });
});

describe("something that is to go", () => {
  test.each([
    ["tickets", "Remove the pager argument of assign_ticket and make it optional."],
    ["tickets", "Remove the note argument of assign_ticket and set its maximum length to 50."],
    ["shop", "Remove track_order and set its cost to 4."],
    ["farm", "Remove the arm loyal of placement and set its lookahead to 12."],
  ])("is not changed besides: %s %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});
