import { describe, expect, test } from "vitest";
import { REQUIRED } from "../contract/steps.ts";
import { openGitHubBench } from "../open-github-bench.ts";

describe("the token that GitHub Actions gives to a workflow", () => {
  test.each([
    ["github-actions[bot]", [expect.stringContaining("what it pushes starts no workflow")]],
    ["ada", []],
  ])("is known by whose it is: %s", async (login, problems) => {
    const { forge, push } = await openGitHubBench({ required: REQUIRED, identity: "token", login });
    await push("main", { "a.txt": "a" });
    expect((await forge.inspect("main")).problems).toEqual(problems);
  });
});
