import { describe, expect, test } from "vitest";
import { openTestStore } from "../../helpers/store.ts";
import { openTunedService, TONES } from "../../helpers/tuned-service.ts";
import { useInvokedCheckout } from "../invoke-checkout.ts";
import { keepPromises } from "../keep-promises.ts";

const checkout = useInvokedCheckout();

describe("tuner.revert", () => {
  test("keeps the promises of its examples", () => keepPromises(checkout, "tuner.revert"));

  test("goes back step by step, and no further than the defaults", async () => {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(TONES);
    for (const arm of ["kind", "loud"]) await service.output(version, "tuner.promote", { experiment: "style", arm });
    const revert = () => service.call(version, "tuner.revert", { experiment: "style" });
    const active = (arm: string) => ({
      ok: true,
      output: { state: { active: { arm, why: "reverted", by: "anonymous" } } },
    });
    expect(await revert()).toMatchObject(active("kind"));
    expect(await revert()).toMatchObject(active("dry"));
    expect(await revert()).toMatchObject({ ok: false, error: { name: "CONFLICT" } });
  });
});
