import { describe, expect, test } from "vitest";
import { CONFIG_VARIABLES, readConfig } from "../../../server/config/config.ts";
import { toSharedSettings } from "../../../server/config/shared-settings.ts";

/** Variables that each node may set as it likes: places, credentials, waits, logs, and what the store compares by itself. */
const OWN = `
  HOST PORT CAIRN_WORKERS CAIRN_DATA CAIRN_NODE_ADDRESS CAIRN_ALLOWED_HOSTS
  CAIRN_TRUSTED_PROXIES CAIRN_STORE CAIRN_STORE_PASSWORD CAIRN_STORE_TIMEOUT CAIRN_AUDIT_KEY
  CAIRN_LEAN_HTTP CAIRN_FETCH_INTERVAL CAIRN_FORGE_INTERVAL CAIRN_DRAIN_GRACE CAIRN_LOG_LEVEL
  CAIRN_LOG_FORMAT CAIRN_FORGE_CHECKS CAIRN_GITHUB_TOKEN CAIRN_GITHUB_APP_ID CAIRN_GITHUB_APP_KEY
  CAIRN_GITHUB_INSTALLATION CAIRN_GITHUB_API CAIRN_GITHUB_WEBHOOK_SECRET CAIRN_MODEL_KEY CAIRN_OAUTH_CLIENT_SECRET
  CAIRN_OAUTH_LOGIN_CLIENT_SECRET
`
  .trim()
  .split(/\s+/);

function toSettings(environment: Record<string, string>, contents: { secretsKey?: string } = {}) {
  const read = readConfig(environment);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return toSharedSettings(read.config, { secretsKey: contents.secretsKey ?? null, tagSigners: null });
}

const placeOf = (repository: string) => toSettings({ CAIRN_REPO: repository }).CAIRN_REPO;

describe("settings that nodes share", () => {
  test("are all variables of the configuration but those that are each node's own", () => {
    const variables = Object.keys(CONFIG_VARIABLES).filter((name) => !name.startsWith("OTEL_"));
    expect(Object.keys(toSettings({})).sort()).toEqual(variables.filter((name) => !OWN.includes(name)).sort());
  });

  test("are what was read, not how it was written", () => {
    const one = toSettings({ CAIRN_LIMITS: "tenant.rate=6,actor.rate=2", CAIRN_RECORD_DAYS: "7" });
    const other = toSettings({ CAIRN_LIMITS: " actor.rate=2 , tenant.rate=6" });
    expect(other).toEqual(one);
    expect(one.CAIRN_LIMITS).toEqual({ tenant: { rate: 6 }, actor: { rate: 2 }, tool: {} });
    expect(toSettings({ CAIRN_RECORD_DAYS: "8" })).toEqual({ ...toSettings({}), CAIRN_RECORD_DAYS: 8 });
  });

  test("name a repository by its place, whichever protocol, user and ending lead there", () => {
    const same = ["https://git.example.com/acme/agent", "https://x:y@Git.example.com/acme/agent.git/"];
    for (const address of [...same, "ssh://git@git.example.com/acme/agent.git", "git@git.example.com:acme/agent.git"]) {
      expect(placeOf(address)).toBe("git.example.com/acme/agent");
    }
    expect(placeOf("https://git.example.com:8443/acme/agent")).toBe("git.example.com:8443/acme/agent");
    expect([placeOf("/srv/agent.git/"), placeOf("file:///srv/agent.git")]).toEqual([
      "/srv/agent.git",
      "/srv/agent.git",
    ]);
  });

  test("have names of secrets without what they are, and the content of the key wherever it is", () => {
    const environment = { CAIRN_SECRETS: "B=env:X,A=file:/a", X: "hidden", CAIRN_SECRETS_KEY: "file:/key" };
    const settings = toSettings(environment, { secretsKey: "content" });
    expect(settings).toMatchObject({ CAIRN_SECRETS: ["A", "B"], CAIRN_SECRETS_KEY: "content" });
    expect(JSON.stringify(settings)).not.toContain("hidden");
  });
});
