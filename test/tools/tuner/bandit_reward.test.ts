import { describe, expect, test } from "vitest";
import type { Principal } from "../../../server/principal.ts";
import { openTestStore } from "../../helpers/store.ts";
import { openTunedService, TONES } from "../../helpers/tuned-service.ts";
import { useInvokedCheckout } from "../invoke-checkout.ts";
import { keepPromises } from "../keep-promises.ts";

const checkout = useInvokedCheckout();
const of = (tenant: string): Principal => ({ tenant, actor: "ada", capabilities: new Set(["*"]) });

describe("tuner.bandit_reward", () => {
  test("[T1] has its schemas to the letter", () => {
    const { input, output } = checkout.tool("tuner.bandit_reward");
    expect(input).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://specs/tuner.bandit_reward.input.json",
      type: "object",
      required: ["conversation_id", "reward"],
      properties: {
        conversation_id: { type: "string", description: "ID of the referenced conversation." },
        reward: { type: "number", description: "Bandit reward signal (e.g., scalar in [-1,1] or [0,1])." },
      },
      additionalProperties: false,
    });
    expect(output).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://specs/tuner.bandit_reward.output.json",
      type: "object",
      required: ["status"],
      properties: {
        status: {
          type: "string",
          enum: ["success", "failure"],
          description: "Whether the reward was recorded and propagated.",
        },
        details: { type: "string", description: "Optional human-readable details on what was updated." },
      },
      additionalProperties: false,
    });
  });

  test("keeps the promises of its examples", () => keepPromises(checkout, "tuner.bandit_reward"));

  test("[T1] credits a conversation of Cairn's own chat right after its answer", async () => {
    const { conversation_id } = (await checkout.output("runner.chat", { message: "Hello!" })) as {
      readonly conversation_id: string;
    };
    const details = expect.stringMatching(
      /^Credited to .* of `chat` and arm `plain` of `greeting` and arm `full` of `replies`\.$/,
    ) as string;
    expect(await checkout.output("tuner.bandit_reward", { conversation_id, reward: 1 })).toEqual({
      status: "success",
      details,
    });
  });
});

describe("a reward", () => {
  async function setUp() {
    const clock = { now: 1_700_000_000_000 };
    const store = await openTestStore(() => clock.now);
    const service = await openTunedService({ store, now: () => clock.now });
    const version = await service.load(TONES);
    const reward = (conversation_id: unknown, value: unknown, at = version, principal = of("local")) =>
      service.call(at, "tuner.bandit_reward", { conversation_id, reward: value }, principal);
    const failure = async (...args: Parameters<typeof reward>) => {
      const result = await reward(...args);
      return result.ok ? result.output : result.error.name;
    };
    const begin = async (tool = "runner.chat", input: object = { message: "hello" }) => {
      const result = await service.call(version, tool, input, of("local"));
      return result.conversationId;
    };
    const events = async () => (await store.head(`tuning/local/${version.commit}/style`))?.seq ?? -1;
    return { clock, store, service, version, reward, failure, begin, events };
  }

  test("[T1] is refused with its reason, and nothing is recorded, where nothing can be credited", async () => {
    const { service, version, failure, begin, events, clock } = await setUp();
    const failed = (details: string) => ({ status: "failure", details });
    const other = await service.load(TONES, "d".repeat(40), "1.1.0");
    const known = await begin();
    const plain = await begin("runner.plain", {});
    const refused = await begin("runner.chat", { message: "refuse" });
    const broken = await begin("runner.chat", { message: "fail" });
    expect(await failure(known, 0.5)).toMatchObject({ status: "success" });
    const before = await events();

    const never = "01234567-89ab-7def-8123-456789abcdef";
    expect(await failure(never, 1)).toEqual(failed(`There is no conversation \`${never}\` to reward.`));
    expect(await failure("nonsense", 1)).toEqual(failed("There is no conversation `nonsense` to reward."));
    expect(await failure(known, 1, version, of("another"))).toEqual(
      failed(`There is no conversation \`${known}\` to reward.`),
    );
    expect(await failure(known, 1)).toEqual(failed(`Conversation \`${known}\` has had its reward already.`));
    expect(await failure(known, 1, other)).toEqual(
      failed(`Conversation \`${known}\` belongs to version 1.0.0; reward it at /agent/${version.commit}/tuner.`),
    );
    expect(await failure(plain, 1)).toEqual(
      failed(`\`runner.plain\` reads no parameters that are tuned, so \`${plain}\` earns no reward.`),
    );
    expect(await failure(refused, 1)).toEqual(
      failed(`The call \`${refused}\` failed (\`BAD_REQUEST\`), so it earns no reward.`),
    );
    expect(await failure(broken, 1)).toEqual(
      failed(`The call \`${broken}\` failed (\`HANDLER_ERROR\`), so it earns no reward.`),
    );
    const late = await begin();
    clock.now += 3_601_000;
    expect(await failure(late, 1)).toEqual(
      failed(`The reward of \`${late}\` comes too late: \`style\` waits 3600 seconds.`),
    );
    expect(await events()).toBe(before + 1);
  });

  test("[T1] that is none is the caller's mistake, and leaves the conversation to be rewarded", async () => {
    const { failure, begin, events } = await setUp();
    const id = await begin();
    const before = await events();
    for (const wrong of [Number.NaN, Infinity, -Infinity, 1.01, -0.01, "1", null, undefined, [1]]) {
      expect(await failure(id, wrong)).toBe("BAD_REQUEST");
    }
    expect(await events()).toBe(before);
    expect(await failure(id, 1)).toMatchObject({ status: "success" });
  });

  test("comes late and counts where the manifest says so", async () => {
    const { service, clock } = await setUp();
    const version = await service.load(TONES.replace("deadline: 3600", "deadline: 3600, late: count"), "e".repeat(40));
    const { conversation_id } = await service.output(version, "runner.chat", { message: "hello" });
    clock.now += 10_000_000;
    expect(await service.output(version, "tuner.bandit_reward", { conversation_id, reward: 1 })).toMatchObject({
      status: "success",
    });
  });

  test("finds the conversation of a call whose record trails its answer", async () => {
    const { failure, begin } = await setUp();
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await failure(await begin("runner.get", {}), 1)).toMatchObject({ status: "success" });
    }
  });

  test("is counted once, however many send it at once", async () => {
    const { reward, begin, events } = await setUp();
    const id = await begin();
    const before = await events();
    const results = await Promise.all(Array.from({ length: 20 }, () => reward(id, 1)));
    const statuses = results.map((result) => (result.ok ? (result.output as { status: string }).status : "error"));
    expect(statuses.filter((status) => status === "success")).toHaveLength(1);
    expect(statuses.filter((status) => status === "failure")).toHaveLength(19);
    expect(await events()).toBe(before + 1);
  });
});

describe("a conversation", () => {
  test("keeps the values that it began with, though the experiment goes on", async () => {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(TONES);
    const first = await service.output(version, "runner.chat", { message: "hello" });
    const { conversation_id } = first;
    const tone = (output: typeof first) => (output["reply"] as { readonly style: object }).style;
    await service.output(version, "tuner.promote", { experiment: "style", arm: "loud" });
    const others = new Set<string>();
    for (let turn = 0; turn < 10; turn += 1) {
      const next = await service.output(version, "runner.chat", { message: "and now?", conversation_id });
      expect(tone(next)).toEqual(tone(first));
      others.add(JSON.stringify(tone(await service.output(version, "runner.chat", { message: "hello" }))));
    }
    expect(others.size).toBeGreaterThan(1);
  });
});
