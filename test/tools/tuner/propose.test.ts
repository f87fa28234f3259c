import { describe, expect, test } from "vitest";
import { openTestStore } from "../../helpers/store.ts";
import { openTunedService, TONES } from "../../helpers/tuned-service.ts";
import { useInvokedCheckout } from "../invoke-checkout.ts";
import { keepPromises } from "../keep-promises.ts";

const checkout = useInvokedCheckout();

describe("tuner.propose", () => {
  test("keeps the promises of its examples", () => keepPromises(checkout, "tuner.propose"));

  test("gathers the evidence for a change of the defaults, from the logged propensities too", async () => {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(TONES.replace("floor: 0.05", "floor: 0.2"));
    const propose = () => service.call(version, "tuner.propose", { experiment: "style" });
    expect(await propose()).toMatchObject({ ok: false, error: { name: "CONFLICT" } });
    for (let user = 0; user < 120; user += 1) {
      const { conversation_id, style } = await service.output(version, "runner.get", {});
      const reward = (style as { readonly tone: string }).tone === "kind" ? 0.9 : 0.3;
      await service.output(version, "tuner.bandit_reward", { conversation_id, reward });
    }
    const result = await propose();
    if (!result.ok) throw new Error(result.error.message);
    const { proposal } = result.output as unknown as {
      readonly proposal: {
        readonly evidence: {
          readonly offPolicy: readonly { readonly always: string; readonly snips: { readonly value: number } }[];
        };
      };
    };
    expect(proposal).toMatchObject({
      experiment: "style",
      file: "manifests/parameters/style.yaml",
      commit: version.commit,
      arm: "kind",
      values: { tone: "kind" },
      isActive: false,
      changes: [{ parameter: "tone", from: "dry", to: "kind" }],
      evidence: {
        algorithm: "ucb1@1",
        seed: JSON.stringify([version.commit, "local", "style"]),
        events: { from: 0, to: 240, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
    const earned = new Map(proposal.evidence.offPolicy.map(({ always, snips }) => [always, snips.value]));
    expect(earned.get("kind")).toBeCloseTo(0.9, 9);
    expect(earned.get("dry")).toBeCloseTo(0.3, 9);
  });
});
