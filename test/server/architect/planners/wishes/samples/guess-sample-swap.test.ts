import { beforeAll, describe, expect, test } from "vitest";
import { type Agents, openAgents } from "../../../../../helpers/open-agents.ts";

let agents: Agents;
beforeAll(async () => {
  agents = await openAgents(["example"]);
});

describe("[A9] values in examples that there are", () => {
  test("are shown before they are given others by what they are now", async () => {
    const message = "In the third example of decide_evaluate, the alternative should be ride instead of walk";
    expect(await agents.firstOffered("example", message)).toBe(
      "`input.alternatives.0.name` in the example 3 of `decide_evaluate` is `ride`.",
    );
  });

  test("are described in other words at once", async () => {
    const message =
      'In the examples of pref_fit, the caption "A fit needs something to fit." should be "Without pairs there is nothing to fit."';
    expect(await agents.changesOf("example", message)).toBe(
      "`description` in the example 2 of `tuner.pref_fit` is `Without pairs there is nothing to fit.`.",
    );
  });

  test("take no example away where nothing says so", async () => {
    const message = "The third example of pref_fit is odd, call it whatever";
    expect(await agents.changesOf("example", message)).toBeUndefined();
  });
});
