import { describe, expect, test } from "vitest";
import { readConfig } from "../../../server/config/config.ts";
import { NO_FORGE } from "../../../server/config/config-forge.ts";

const PLACE = { host: "github.com", owner: "acme", repo: "tools" };
const GITHUB = "https://github.com/acme/tools.git";
const TOKEN = { CAIRN_GITHUB_TOKEN: "env:TOKEN", TOKEN: "ghp_secret" };

function read(environment: Readonly<Record<string, string>>) {
  const result = readConfig(environment);
  if (!result.ok) throw new Error(result.problems.join("\n"));
  const { forge, baseBranch, forgeHost } = result.config;
  return { forge, baseBranch, github: forgeHost?.account, webhooks: forgeHost?.webhooks };
}

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  const result = readConfig(environment);
  return result.ok ? [] : result.problems;
}

describe("the forge, unless it is chosen,", () => {
  test.each([
    ["the embedded repository", {}],
    ["a path", { CAIRN_REPO: "/srv/agent.git" }],
    ["a file URL", { CAIRN_REPO: "file:///srv/agent.git" }],
  ])("is git alone for %s", (_, environment) => {
    expect(read(environment)).toEqual({ forge: { kind: "local", required: ["cairn"], isChosen: false } });
  });

  test("is GitHub for a repository there with a token", () => {
    expect(read({ CAIRN_REPO: GITHUB, ...TOKEN })).toEqual({
      forge: { kind: "github", mergeMethod: "squash", autoMerge: false, reviewers: [], interval: 15 },
      github: { ...PLACE, identity: { kind: "token", token: { value: "ghp_secret" } } },
    });
  });

  test.each([
    ["on GitHub without credentials", { CAIRN_REPO: GITHUB }],
    ["elsewhere, with a token of GitHub", { CAIRN_REPO: "https://git.example.com/acme/tools.git", ...TOKEN }],
    ["by another protocol", { CAIRN_REPO: "git://github.com/acme/tools.git", ...TOKEN }],
    ["beneath more folders than GitHub has", { CAIRN_REPO: "https://github.com/acme/tools/more", ...TOKEN }],
  ])("is none for a repository %s", (_, environment) => {
    expect(read(environment)).toEqual({ forge: { kind: "none", why: NO_FORGE } });
  });
});

describe("what is set for a forge", () => {
  test("is read whole", () => {
    const environment = {
      CAIRN_REPO: "git@github.example.com:acme/tools.git",
      CAIRN_FORGE: "github",
      CAIRN_FORGE_BRANCH: "release/1.x",
      CAIRN_GITHUB_APP_ID: "4711",
      CAIRN_GITHUB_APP_KEY: "file:/run/secrets/app.pem",
      CAIRN_GITHUB_INSTALLATION: "815",
      CAIRN_GITHUB_API: "https://github.example.com/api/v3/",
      CAIRN_GITHUB_MERGE: "merge",
      CAIRN_GITHUB_AUTO_MERGE: "true",
      CAIRN_GITHUB_REVIEWERS: "grace, acme/agents",
      CAIRN_FORGE_INTERVAL: "60",
      CAIRN_GITHUB_WEBHOOK_SECRET: "file:/run/secrets/webhook",
    };
    const place = { ...PLACE, host: "github.example.com" };
    expect(read(environment)).toEqual({
      forge: {
        kind: "github",
        mergeMethod: "merge",
        autoMerge: true,
        reviewers: ["grace", "acme/agents"],
        interval: 60,
      },
      baseBranch: "release/1.x",
      github: {
        ...place,
        api: "https://github.example.com/api/v3",
        identity: { kind: "app", id: 4711, key: { file: "/run/secrets/app.pem" }, installation: 815 },
      },
      webhooks: { ...place, secret: { file: "/run/secrets/webhook" } },
    });
  });

  test("is left alone where something else is chosen", () => {
    expect(read({ CAIRN_REPO: "/srv/agent.git", CAIRN_FORGE: "none", ...TOKEN }).forge).toEqual({
      kind: "none",
      why: "CAIRN_FORGE is `none`.",
    });
    expect(read({ CAIRN_FORGE: "local", CAIRN_FORGE_CHECKS: "semver, test,semver" }).forge).toEqual({
      kind: "local",
      required: ["semver", "test"],
      isChosen: true,
    });
  });

  test("lets private repositories be fetched where nothing changes them", () => {
    const { forge, github } = read({ CAIRN_REPO: GITHUB, CAIRN_FORGE: "none", ...TOKEN });
    expect([forge.kind, github?.identity.kind]).toEqual(["none", "token"]);
  });

  const needs =
    "it needs CAIRN_REPO to be on github.com, or CAIRN_GITHUB_API, and CAIRN_GITHUB_TOKEN, or CAIRN_GITHUB_APP_ID and CAIRN_GITHUB_APP_KEY";
  test.each([
    [{ CAIRN_FORGE: "gitlab" }, "CAIRN_FORGE is `gitlab`; it must be one of local, github, none"],
    [{ CAIRN_FORGE: "github" }, `CAIRN_FORGE is \`github\`; ${needs}`],
    [{ CAIRN_FORGE: "github", CAIRN_REPO: GITHUB }, `CAIRN_FORGE is \`github\`; ${needs}`],
    [
      { CAIRN_FORGE: "local", CAIRN_REPO: GITHUB },
      "CAIRN_FORGE is `local`; it takes a repository on this machine, and CAIRN_REPO is elsewhere",
    ],
    [{ CAIRN_FORGE_BRANCH: "a..b" }, "CAIRN_FORGE_BRANCH is `a..b`; it must be the name of a branch"],
    [{ CAIRN_FORGE_BRANCH: "-f" }, "CAIRN_FORGE_BRANCH is `-f`; it must be the name of a branch"],
    [
      { CAIRN_FORGE_CHECKS: "a,,b" },
      "CAIRN_FORGE_CHECKS is `a,,b`; it must be names of checks, of 1 to 100 printable characters, with commas between them",
    ],
    [{ CAIRN_FORGE_INTERVAL: "0" }, "CAIRN_FORGE_INTERVAL is `0`; it must be a whole number from 1"],
    [{ CAIRN_FORGE_INTERVAL: "3601" }, "CAIRN_FORGE_INTERVAL is `3601`; it must be 3600 at most"],
    [
      { CAIRN_GITHUB_API: "http://github.example.com/api/v3" },
      "CAIRN_GITHUB_API is `http://github.example.com/api/v3`; it must be an https URL without query or fragment (http only for this machine)",
    ],
    [
      { CAIRN_GITHUB_APP_ID: "one", CAIRN_GITHUB_APP_KEY: "file:/a" },
      "CAIRN_GITHUB_APP_ID is `one`; it must be a whole number from 1",
    ],
    [{ CAIRN_GITHUB_APP_ID: "1" }, "CAIRN_GITHUB_APP_ID and CAIRN_GITHUB_APP_KEY need each other"],
    [
      { CAIRN_GITHUB_INSTALLATION: "1" },
      "CAIRN_GITHUB_INSTALLATION is set but CAIRN_GITHUB_APP_ID is not; it says whose installation it is",
    ],
    [
      { CAIRN_GITHUB_APP_ID: "1", CAIRN_GITHUB_APP_KEY: "file:/a", ...TOKEN },
      "CAIRN_GITHUB_TOKEN and CAIRN_GITHUB_APP_ID are both set; Cairn can be only one of them on GitHub",
    ],
    [
      { CAIRN_REPO: "https://ada:pw@github.com/acme/tools", ...TOKEN },
      "CAIRN_REPO has a password in it, beside the credentials for GitHub; give only one of them",
    ],
    [
      { CAIRN_REPO: "http://github.com/acme/tools", ...TOKEN },
      "CAIRN_REPO must be an https URL where there are credentials for GitHub",
    ],
    [
      { CAIRN_GITHUB_TOKEN: "env:MISSING" },
      "CAIRN_GITHUB_TOKEN names the environment variable `MISSING`, which is not set",
    ],
  ])("is refused with what would be right: %o", (environment, problem) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  test("never shows a secret that stands where a reference should", () => {
    const names = ["CAIRN_GITHUB_TOKEN", "CAIRN_GITHUB_APP_KEY", "CAIRN_GITHUB_WEBHOOK_SECRET"];
    for (const name of names) {
      const problems = problemsOf({ [name]: "hunter2" });
      expect(problems[0]).toBe(
        `${name} must be \`env:NAME\` or \`file:/path\`: a reference to the secret, not the secret`,
      );
      expect(problems.join()).not.toContain("hunter2");
    }
  });
});
