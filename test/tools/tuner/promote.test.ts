import { describe, expect, test } from "vitest";
import { openTestStore } from "../../helpers/store.ts";
import { openTunedService, TONES } from "../../helpers/tuned-service.ts";
import { useInvokedCheckout } from "../invoke-checkout.ts";
import { keepPromises } from "../keep-promises.ts";

const checkout = useInvokedCheckout();

describe("tuner.promote", () => {
  test("keeps the promises of its examples", () => keepPromises(checkout, "tuner.promote"));

  async function setUp() {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(TONES.replace("share: 1,", "share: 0,"));
    const promote = (input: object) => service.call(version, "tuner.promote", { experiment: "style", ...input });
    const tone = async () => (await service.output(version, "runner.get", {}))["style"];
    return { promote, tone };
  }

  test("has conversations that begin from then on run with other values", async () => {
    const { promote, tone } = await setUp();
    expect(await tone()).toEqual({ tone: "dry" });
    expect(await promote({ values: { tone: "loud" } })).toMatchObject({
      ok: true,
      output: { state: { active: { arm: "loud" } } },
    });
    await expect.poll(tone).toEqual({ tone: "loud" });
  });

  test("leaves what is active as it is, and records nothing, however often it is asked for it", async () => {
    const { promote } = await setUp();
    const active = (result: Awaited<ReturnType<typeof promote>>) =>
      result.ok ? (result.output as { state: { active: object; seq: number } }).state : result.error;
    const untouched = { seq: -1, active: { arm: "dry", why: "default" } };
    expect(active(await promote({ arm: "dry" }))).toMatchObject(untouched);
    expect(active(await promote({ values: { tone: "dry" } }))).toMatchObject(untouched);
    const once = active(await promote({ arm: "kind" }));
    expect(once).toMatchObject({ active: { arm: "kind", why: "promoted" } });
    expect(active(await promote({ arm: "kind" }))).toEqual(once);
  });

  test("lasts while a service that the tool depends on cannot be reached, however many calls fail", async () => {
    const service = await openTunedService({ store: await openTestStore() });
    const guarded = TONES.replace("kind: ucb1 }", "kind: ucb1 }\n  guardrail: { maxErrorRate: 0.1 }");
    const version = await service.load(guarded);
    await service.output(version, "tuner.promote", { experiment: "style", arm: "kind" });
    for (let call = 0; call < 60; call += 1) {
      const result = await service.call(version, "runner.chat", { message: "away" });
      expect(result).toMatchObject({ ok: false, error: { name: "UPSTREAM_ERROR" } });
    }
    expect(await service.output(version, "tuner.promote", { experiment: "style", arm: "kind" })).toMatchObject({
      state: {
        active: { arm: "kind", why: "promoted" },
        counts: { assigned: 0, failed: 0 },
        guardrail: { barred: [], trial: null, calls: 0 },
      },
    });
  });

  test.each([
    ["what is unknown yet", {}, "CONFLICT"],
    ["an arm that there is not", { arm: "quiet" }, "BAD_REQUEST"],
    ["an arm and values", { arm: "kind", values: { tone: "kind" } }, "BAD_REQUEST"],
    ["a value that its parameter cannot have", { values: { tone: "quiet" } }, "BAD_REQUEST"],
    ["a parameter too few", { values: {} }, "BAD_REQUEST"],
    ["a parameter too many", { values: { tone: "kind", pace: 3 } }, "BAD_REQUEST"],
  ])("refuses %s", async (_, input, name) => {
    const { promote } = await setUp();
    expect(await promote(input)).toMatchObject({ ok: false, error: { name } });
  });
});
