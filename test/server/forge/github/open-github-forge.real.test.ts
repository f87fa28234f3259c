import { describe, onTestFinished, test } from "vitest";
import { describeForge } from "../contract.ts";
import { createScratchRepository, openRemoteGitHubBench } from "../open-remote-github-bench.ts";

/** A token that may make and delete repositories: each test gets one of its own. */
const token = process.env["CAIRN_TEST_GITHUB_TOKEN"];

if (token === undefined) {
  describe("the forge of github.com", () => {
    test.skip("is tried where CAIRN_TEST_GITHUB_TOKEN has a token that may make and delete repositories");
  });
} else {
  describeForge("of github.com", async ({ required }) =>
    openRemoteGitHubBench(await createScratchRepository(token, onTestFinished), required),
  );
}
