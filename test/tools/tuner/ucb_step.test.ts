import { describe, expect, test } from "vitest";
import { openTestStore } from "../../helpers/store.ts";
import { openTunedService, TONES } from "../../helpers/tuned-service.ts";
import { useInvokedCheckout } from "../invoke-checkout.ts";
import { keepPromises } from "../keep-promises.ts";

const checkout = useInvokedCheckout();

describe("tuner.ucb_step", () => {
  test("keeps the promises of its examples", () => keepPromises(checkout, "tuner.ucb_step"));

  test("[T2] chooses arms that differ while their rewards are waited for, and moves with the rewards", async () => {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(TONES.replace("floor: 0.05", "floor: 0"));
    const step = (input: object) => service.output(version, "tuner.ucb_step", { experiment: "style", ...input });
    interface Choice {
      readonly choice_id: string;
      readonly arm: string;
      readonly values: object;
      readonly propensities: Readonly<Record<string, number>>;
    }
    const { choices } = (await step({ choose: 6 })) as unknown as { readonly choices: readonly Choice[] };
    const arms = choices.map(({ arm }) => arm);
    expect(arms).toEqual(["dry", "kind", "loud", "dry", "kind", "loud"]);
    expect(choices[1]).toMatchObject({ values: { tone: "kind" }, propensities: { dry: 0, kind: 1, loud: 0 } });

    const rewards = choices.map(({ choice_id, arm }) => ({ choice_id, reward: arm === "kind" ? 1 : 0 }));
    const next = await step({ rewards, choose: 4 });
    expect(next).toMatchObject({
      rewarded: 6,
      state: { staging: { suggested: { arm: "kind" } }, counts: { rewarded: 6, waiting: 4 } },
    });
    expect((next as unknown as { readonly choices: readonly Choice[] }).choices[0]?.arm).toBe("kind");
  });

  test("[T2] takes all rewards of a batch or none", async () => {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(TONES);
    const call = (input: object) => service.call(version, "tuner.ucb_step", { experiment: "style", ...input });
    const good = { arm: "kind", reward: 1 };
    const { conversation_id } = await service.output(version, "runner.chat", { message: "hello" });
    const twice = { conversation_id, reward: 1 };
    for (const [bad, name] of [
      [{ arm: "kind", reward: 1.5 }, "BAD_REQUEST"],
      [{ arm: "quiet", reward: 1 }, "BAD_REQUEST"],
      [{ choice_id: "01234567-89ab-7def-8123-456789abcdef.0", reward: 1 }, "CONFLICT"],
    ] as const) {
      expect(await call({ rewards: [good, twice, bad] })).toMatchObject({ ok: false, error: { name } });
    }
    expect(await call({ rewards: [good, twice, twice] })).toMatchObject({ ok: false, error: { name: "CONFLICT" } });
    expect(await call({ rewards: [good, twice] })).toMatchObject({ ok: true, output: { rewarded: 2 } });
  });

  test("[T2] tunes a number by its steps", async () => {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(`parameters: { heat: { type: float, min: 0, max: 1, step: 0.25, default: 0.5 } }
experiment: { strategy: { kind: kl_ucb } }
`);
    let choices: readonly { readonly choice_id: string; readonly values: { readonly heat: number } }[] = [];
    for (let round = 0; round < 20; round += 1) {
      const rewards = choices.map(({ choice_id, values }) => ({ choice_id, reward: 1 - Math.abs(values.heat - 0.75) }));
      const output = await service.output(version, "tuner.ucb_step", { experiment: "style", rewards, choose: 10 });
      ({ choices } = output as unknown as { readonly choices: typeof choices });
    }
    const { state } = await service.output(version, "tuner.promote", { experiment: "style" });
    expect(state).toMatchObject({ active: { values: { heat: 0.75 }, arm: "0.75", why: "promoted" } });
  });
});
