// Draws the pictures of `docs/tuning-plots.md` from simulated experiments: the same bytes each time.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { listPlots } from "../server/capabilities/tuner/plots/plots.ts";
import { renderPicture } from "../server/capabilities/tuner/plots/render-picture.ts";
import {
  createNumberSet,
  createPreferenceSet,
  createTestSet,
  simulateArms,
  simulateSearch,
  toFitted,
} from "../test/helpers/simulate-experiment.ts";

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));

const route = createTestSet({ kind: "thompson" }, ["bm25", "dense", "hybrid"], {
  exploration: { share: 1, floor: 0.02, assignBy: "conversation" },
});
const knobs = createNumberSet(["temperature", "top_k", "threshold"]);
const ranker = createPreferenceSet();
const strengths = { short: 0.9, cited: 1.4, plain: 0.2, long: -0.1, terse: -0.8, chatty: -1.6 };
const estimates = Object.entries(strengths).map(([name, value], place) => [
  name,
  { value, standardError: 0.2 + 0.05 * (place % 3) },
]);

const examples = [
  [route, simulateArms(route, [0.55, 0.58, 0.66], 1200)],
  [knobs, simulateSearch(knobs, 1200, 0)],
  [ranker, toFitted(ranker, Object.fromEntries(estimates))],
] as const;

await mkdir(folder, { recursive: true });
for (const [set, collected] of examples) {
  for (const plot of listPlots(set)) {
    // One of the two that have it is enough.
    if (set === knobs && plot.name === "reward-delays") continue;
    await writeFile(`${folder}${plot.name}.svg`, await renderPicture(plot.draw(set, collected)));
  }
}
