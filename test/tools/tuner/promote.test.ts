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

  test.each([
    ["what is unknown yet", {}, "CONFLICT"],
    ["what is active already", { arm: "dry" }, "CONFLICT"],
    ["an arm and values", { arm: "kind", values: { tone: "kind" } }, "BAD_REQUEST"],
    ["a value that its parameter cannot have", { values: { tone: "quiet" } }, "BAD_REQUEST"],
    ["a parameter too few", { values: {} }, "BAD_REQUEST"],
    ["a parameter too many", { values: { tone: "kind", pace: 3 } }, "BAD_REQUEST"],
  ])("refuses %s", async (_, input, name) => {
    const { promote } = await setUp();
    expect(await promote(input)).toMatchObject({ ok: false, error: { name } });
  });
});
