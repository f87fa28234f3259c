import { describe, expect, it } from "vitest";
import { loader } from "../../../../helpers/loader.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { changeTree } from "../../../../fixtures/trees/good-tree.ts";

async function readExperiment(yaml: string) {
  const tree = createMemoryTree(changeTree({ "manifests/parameters/forecast.yaml": yaml }));
  const loaded = await loader.load(tree, "0123456");
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.version.parameters.get("forecast")?.experiment;
}

const STYLE = "parameters:\n  style: { type: categorical, values: [short, long], default: long }\n";

describe("an experiment in a manifest", () => {
  it("is none when the file says nothing of one", async () => {
    expect(await readExperiment(STYLE)).toBeUndefined();
  });

  it("has the values of one parameter as arms, and every default filled in", async () => {
    expect(
      await readExperiment(`${STYLE}experiment: { strategy: { kind: ucb1 }, stop: {}, guardrail: { maxDrop: 1 } }\n`),
    ).toEqual({
      strategy: { kind: "ucb1", c: 2 },
      arms: [
        { name: "short", values: { style: "short" } },
        { name: "long", values: { style: "long" } },
      ],
      baseline: "long",
      reward: { range: [0, 1], optimize: "max", outOfRange: "reject", deadline: 259_200, late: "drop" },
      exploration: { share: 0.2, floor: 0.02, assignBy: "conversation" },
      stop: { delta: 0.05, epsilon: 0, minSamples: 10, maxSamples: 10_000, promote: true },
      guardrail: { delta: 0.05, maxDrop: 1 },
    });
  });

  it("has every combination of several parameters as arms, in the order of the manifest", async () => {
    const yaml = `${STYLE}  words: { type: int, min: 1, max: 3, default: 2 }\n  heat: { type: float, min: 0, max: 0.3, step: 0.3, default: 0 }\n`;
    const experiment = await readExperiment(`${yaml}experiment: { strategy: { kind: thompson } }\n`);
    expect(experiment?.arms.map(({ name }) => name)).toEqual(
      ["short", "long"].flatMap((style) =>
        [1, 2, 3].flatMap((words) => [0, 0.3].map((heat) => `style=${style},words=${words},heat=${heat}`)),
      ),
    );
    expect(experiment?.baseline).toBe("style=long,words=2,heat=0");
  });

  it("fills up named arms with the defaults", async () => {
    const experiment = await readExperiment(
      `${STYLE}  heat: { type: float, min: 0, max: 1, default: 0.2 }\nexperiment: { strategy: { kind: kl_ucb }, arms: { plain: {}, warm: { heat: 0.7 } } }\n`,
    );
    expect(experiment?.arms).toEqual([
      { name: "plain", values: { style: "long", heat: 0.2 } },
      { name: "warm", values: { style: "long", heat: 0.7 } },
    ]);
    expect(experiment?.baseline).toBe("plain");
  });

  it("has no arms where numbers are moved freely", async () => {
    const yaml = "parameters:\n  heat: { type: float, min: 0.001, max: 1, scale: log, default: 0.2 }\n";
    const experiment = await readExperiment(`${yaml}experiment: { strategy: { kind: cma_es, population: 8 } }\n`);
    expect(experiment?.arms).toEqual([]);
    expect(experiment?.strategy).toEqual({
      kind: "cma_es",
      population: 8,
      sigma: 0.25,
      restarts: "none",
      reevaluate: 0,
    });
    expect(experiment).not.toHaveProperty("baseline");
  });
});
