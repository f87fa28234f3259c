import { describe, expect, test } from "vitest";
import { readGitHubPlace } from "../../../../server/forge/github/config.ts";

describe("an address on GitHub", () => {
  test.each([
    "https://github.com/acme/tools.git",
    "https://GitHub.com/acme/tools/",
    "https://ada:token@github.com/acme/tools",
    "ssh://git@github.com:22/acme/tools.git",
    "git@github.com:acme/tools.git",
  ])("names host, owner and repository: %s", (address) => {
    expect(readGitHubPlace(address)).toEqual({ host: "github.com", owner: "acme", repo: "tools" });
  });

  test("keeps dots in names", () => {
    expect(readGitHubPlace("https://github.com/acme_x/tools.git.git")?.repo).toBe("tools.git");
    expect(readGitHubPlace("git@github.com:acme/.github")?.repo).toBe(".github");
  });

  test.each([
    "",
    "/srv/tools.git",
    "git://github.com/acme/tools",
    "file:///acme/tools",
    "https://github.com/acme",
    "https://github.com/acme/tools/tree/main",
    "git@github.com:acme/..",
    "https://github.com/acme/to%20ols",
  ])("is none: %s", (address) => {
    expect(readGitHubPlace(address)).toBeUndefined();
  });
});
