import { describe, expect, test } from "vitest";
import { toFeatures } from "../../../../../../server/architect/planners/wishes/learned/features.ts";
import {
  readModel,
  readOperations,
  sharesOf,
  writeModel,
} from "../../../../../../server/architect/planners/wishes/learned/model.ts";
import { operationOf } from "../../../../../../server/architect/planners/wishes/learned/operations.ts";
import { toTokens } from "../../../../../../server/architect/planners/wishes/words/words.ts";

function likeliest(message: string): string | undefined {
  const shares = readOperations({ tokens: toTokens(message) }, { asks: 1 });
  return [...shares].sort(([, one], [, other]) => other - one)[0]?.[0];
}

describe("the model of operations", () => {
  test("is read as it was written, with weights in tenths", () => {
    const model = {
      operations: ["none", "upper"],
      weights: new Map([
        ["at most", { 0: -1.2, 1: 4.5 }],
        ["a|b `${", { 1: -4.5 }],
      ]),
    };
    expect(readModel(writeModel(model, 3))).toEqual(model);
  });

  test("gives probabilities that add up to one, also for words that it has never met", () => {
    const model = readModel('none upper\nat most|"l');
    const sum = (features: string[]) =>
      [...sharesOf(model, new Set(features)).values()].reduce((all, one) => all + one, 0);
    expect(sum(["at most"])).toBeCloseTo(1);
    expect([...sharesOf(model, new Set(["xyzzy"])).values()]).toEqual([0.5, 0.5]);
  });

  test.each([
    ["no more than 20 of them, please", "upper"],
    ["This has to be filled in, it must be mandatory.", "require"],
    ["This need not be filled in, make it optional.", "relax"],
    ["The title should be \"Welcome home\".", "title"],
    ["Thanks, works great now!", "none"],
  ])("knows what is asked for without any name: %s", (message, operation) => {
    expect(likeliest(message)).toBe(operation);
  });

  test("sees no names, numbers or quoted texts, but what they are", () => {
    const features = toFeatures({ tokens: toTokens('set max_price to 90s or "two words"') }, { asks: 1 });
    expect([...features]).toEqual(expect.arrayContaining(["bias", "@asks", "set", "set N_N", "N_N to", "#time", "QQ"]));
    expect([...features].join()).not.toMatch(/price|90|two/);
  });

  test.each([
    ["manifests/a/b.yaml#input/properties/x/maxItems=5", "upper"],
    ["manifests/a/b.yaml#input/properties/x/minimum=", "reset"],
    ['manifests/a/b.yaml#input/properties/x/enum add ["y"]', "addValue"],
    ['manifests/a/b.yaml#input/properties/x/enum remove ["y"]', "removeValue"],
    ["manifests/parameters/p.yaml#parameters/x/default=2", "parameter"],
    ["remove a.b/input/x", "removeField"],
    ["remove a.b", "removeTool"],
    ["remove role x", "removeRole"],
    ["revoke role x tool:a.b", "revoke"],
    ["require tool:a.b a.b", "capability"],
  ])("names the operation of a guess: %s", (name, operation) => {
    expect(operationOf(name)).toBe(operation);
  });
});
