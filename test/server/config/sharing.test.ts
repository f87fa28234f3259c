import { describe, expect, test } from "vitest";
import { readConfig } from "../../../server/config/config.ts";
import { assertSole } from "../../../server/config/sharing.ts";

const SHARED = {
  CAIRN_STORE: "postgres://cairn@localhost/cairn",
  CAIRN_NODE_ADDRESS: "http://10.0.0.7:3000/",
  CAIRN_REPO: "https://example.com/agent.git",
  CAIRN_AUTH: "tokens",
  CAIRN_AUDIT_KEY: "/etc/cairn/audit.key",
};
const problemsOf = (more: Readonly<Record<string, string | undefined>>) => {
  const read = readConfig({ ...SHARED, ...more });
  return read.ok ? [] : read.problems;
};

describe("a configuration with CAIRN_NODE_ADDRESS", () => {
  test("is taken with all that nodes need, and requests may be addressed to it", () => {
    const read = readConfig(SHARED);
    expect(read).toMatchObject({
      ok: true,
      config: { store: { nodeAddress: "http://10.0.0.7:3000" }, allowedHosts: ["10.0.0.7"] },
    });
  });

  test.each([
    [{ CAIRN_STORE: "lmdb" }, "nodes share a database only: set CAIRN_STORE"],
    [{ CAIRN_REPO: undefined }, "set CAIRN_REPO to one that all reach"],
    [{ CAIRN_REPO: "/srv/agent.git", CAIRN_FORGE: "local" }, "set CAIRN_FORGE to `github` or `none`"],
    [{ CAIRN_AUTH: "auto" }, "set CAIRN_AUTH=tokens or CAIRN_OAUTH_ISSUER"],
    [{ CAIRN_AUDIT_KEY: undefined }, "set CAIRN_AUDIT_KEY"],
    [{ CAIRN_NODE_ADDRESS: "10.0.0.7:3000" }, "it must be http or https, host and port, without a path"],
    [{ CAIRN_NODE_ADDRESS: "http://10.0.0.7/cairn" }, "it must be http or https, host and port, without a path"],
  ])("and %j is refused, and what to set is said", (more, words) => {
    expect(problemsOf(more)).toEqual([expect.stringContaining(words)]);
  });

  test("takes an OAuth issuer for authentication, and a path that has no forge", () => {
    const oauth = { CAIRN_OAUTH_ISSUER: "https://id.example.com", CAIRN_PUBLIC_URL: "https://cairn.example.com" };
    expect(problemsOf({ CAIRN_AUTH: undefined, ...oauth })).toEqual([]);
    expect(problemsOf({ CAIRN_REPO: "/srv/agent.git", CAIRN_FORGE: "none" })).toEqual([]);
  });

  test("is refused for a work tree of one machine", () => {
    const read = readConfig(SHARED);
    if (!read.ok) throw new Error(read.problems.join());
    expect(() => assertSole(read.config.store)).toThrow("unset CAIRN_NODE_ADDRESS");
    expect(() => assertSole({ engine: "lmdb" })).not.toThrow();
  });
});

describe("a configuration with CAIRN_WORKERS", () => {
  const problemsOfWorkers = (environment: Readonly<Record<string, string>>) => {
    const read = readConfig({ CAIRN_WORKERS: "2", ...environment });
    return read.ok ? [] : read.problems;
  };

  test("takes everything else of a service on LMDB", () => {
    expect(problemsOfWorkers({})).toEqual([]);
    expect(problemsOfWorkers({ CAIRN_WORKERS: "1", CAIRN_PREVIEWS: "on" })).toEqual([]);
  });

  test.each([
    [{ CAIRN_STORE: "postgres://cairn@localhost/cairn" }, "start several nodes, each with CAIRN_NODE_ADDRESS"],
    [{ CAIRN_PREVIEWS: "on" }, "set CAIRN_PREVIEWS=off, or CAIRN_WORKERS=1"],
  ])("does not go with %j", (environment, advice) => {
    expect(problemsOfWorkers(environment)).toEqual([expect.stringContaining(advice)]);
  });
});
