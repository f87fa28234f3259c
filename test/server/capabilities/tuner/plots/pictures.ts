import type { Picture } from "../../../../../server/capabilities/tuner/plots/picture.ts";
import { listPlots } from "../../../../../server/capabilities/tuner/plots/plots.ts";
import {
  createNumberSet,
  createPreferenceSet,
  createTestSet,
  simulateArms,
  simulateSearch,
  toFitted,
} from "../../../../helpers/simulate-experiment.ts";
import type { TunedSet } from "../../../../../server/capabilities/tuner/state/tuned-set.ts";
import type { Collected } from "../../../../../server/capabilities/tuner/plots/collect-series.ts";

/** The worst that a manifest, or whoever names items, might call something. */
const HOSTILE = `</text><script>alert("&")</script><image href='http://evil.example/'/>\u0000\uD800 ${"long ".repeat(30)}`;

function toStrengths(count: number): Parameters<typeof toFitted>[1] {
  const names = Array.from({ length: count }, (_, place) => (place === 1 ? HOSTILE : `model-${place}`));
  return Object.fromEntries(
    names.map((name, place) => [name, { value: 1.5 * Math.sin(2.3 * place), standardError: place === 0 ? null : 0.3 }]),
  );
}

/** Every kind of picture of experiments of every kind: without events, with one, and large. */
export function drawAll(): readonly (readonly [name: string, picture: Picture])[] {
  const few = createTestSet({ kind: "thompson" }, ["bm25", HOSTILE, "hybrid"]);
  const names = Array.from({ length: 64 }, (_, place) => (place === 3 ? HOSTILE : `arm-${place}`));
  const many = createTestSet({ kind: "ucb1", c: 2 }, names);
  const numbers = createNumberSet(Array.from({ length: 12 }, (_, place) => (place === 1 ? HOSTILE : `x${place}`)));
  const [items, features] = [createPreferenceSet("items"), createPreferenceSet("features")];
  const cases: readonly (readonly [string, TunedSet, Collected])[] = [
    ["no events", few, simulateArms(few, [], 0)],
    ["one event", few, simulateArms(few, [0.5, 0.5, 0.5], 1)],
    ["three arms", few, simulateArms(few, [0.55, 0.6, 0.68], 400)],
    ["64 arms", many, simulateArms(many, names.map((_, place) => 0.3 + place / 160), 1500)], // prettier-ignore
    ["no results", numbers, simulateSearch(numbers, 0)],
    ["12 numbers", numbers, simulateSearch(numbers, 800)],
    ["no pairs", items, toFitted(items, {})],
    ["64 items", items, toFitted(items, toStrengths(64))],
    ["5 features", features, toFitted(features, toStrengths(5))],
  ];
  return cases.flatMap(([name, set, collected]) =>
    listPlots(set).map((plot) => [`${plot.name} of ${name}`, plot.draw(set, collected)] as const),
  );
}
