import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { NO_FORGE } from "../../../server/config/config-forge.ts";
import ipaddr from "ipaddr.js";
import { CONFIG_VARIABLES, findUnknownVariables, isUrl, readConfig } from "../../../server/config/config.ts";
import { readTables } from "../../helpers/markdown.ts";
import type { SecretReference } from "../../../server/config/secret-reference.ts";

describe("readConfig", () => {
  test("gives every setting its documented default", () => {
    expect(readConfig({})).toEqual({
      ok: true,
      config: {
        host: "127.0.0.1",
        port: 3000,
        workers: 1,
        data: resolve(".cairn"),
        fetchInterval: 30,
        previews: false,
        forge: { kind: "local", required: ["cairn"], isChosen: false },
        allowedHosts: [],
        trustedProxies: [],
        allowedOrigins: [],
        egressMap: new Map(),
        mounts: new Map(),
        store: { engine: "lmdb" },
        secrets: { references: new Map(), folders: [] },
        auth: { mode: "auto", publicVersions: false },
        durability: "effects",
        recordDays: 7,
        console: true,
        leanHttp: true,
        drainGrace: 20,
        ceilings: { tenant: {}, actor: {}, tool: {} },
        logLevel: "info",
        logFormat: "auto",
      },
    });
  });

  test("reads every variable", () => {
    const result = readConfig({
      HOST: "0.0.0.0",
      PORT: "8080",
      CAIRN_WORKERS: "1",
      CAIRN_DATA: "/var/lib/cairn",
      CAIRN_REPO: "https://git.example.com/agent.git",
      CAIRN_ALLOWED_HOSTS: "cairn.example.com, other.example.com",
      CAIRN_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8,fd00::/8",
      CAIRN_ALLOWED_ORIGINS: "https://app.example.com",
      CAIRN_EGRESS_MAP: "api.open-meteo.com=http://127.0.0.1:4010/",
      CAIRN_MOUNTS: "docs=/srv/docs, inbox=/srv/in box:rw",
      CAIRN_MODEL_URL: "http://127.0.0.1:11434/v1",
      CAIRN_MODEL_NAME: "small",
      CAIRN_MODEL_KEY: "secret",
      CAIRN_SECRETS: "GITHUB=env:CAIRN_GH, acme/GITHUB=file:/run/github,folder:/run/secrets/cairn",
      CAIRN_GH: "a",
      CAIRN_SECRETS_KEY: "file:/run/key",
      CAIRN_DURABILITY: "always",
      CAIRN_DRAIN_GRACE: "5",
      CAIRN_LIMITS: "tenant.rate=600, actor.dailyCost=1000",
      CAIRN_LOG_LEVEL: "debug",
      CAIRN_REQUIRE_SIGNED_TAGS: "/etc/cairn/signers",
      CAIRN_PREVIEWS: "on",
      CAIRN_RECORD_DAYS: "0",
      CAIRN_CONSOLE: "off",
      CAIRN_LEAN_HTTP: "off",
    });
    expect(result).toEqual({
      ok: true,
      config: {
        host: "0.0.0.0",
        port: 8080,
        workers: 1,
        data: "/var/lib/cairn",
        repository: "https://git.example.com/agent.git",
        fetchInterval: 60,
        previews: true,
        forge: { kind: "none", why: NO_FORGE },
        allowedHosts: ["cairn.example.com", "other.example.com"],
        trustedProxies: [
          [ipaddr.parse("127.0.0.1"), 32],
          [ipaddr.parse("10.0.0.0"), 8],
          [ipaddr.parse("fd00::"), 8],
        ],
        allowedOrigins: ["https://app.example.com"],
        egressMap: new Map([["api.open-meteo.com", "http://127.0.0.1:4010"]]),
        mounts: new Map([
          ["docs", { folder: "/srv/docs", isWritable: false }],
          ["inbox", { folder: "/srv/in box", isWritable: true }],
        ]),
        model: { url: "http://127.0.0.1:11434/v1", name: "small", key: { value: "secret" } },
        store: { engine: "lmdb" },
        secrets: {
          references: new Map<string, SecretReference>([
            ["GITHUB", { value: "a" }],
            ["acme/GITHUB", { file: "/run/github" }],
          ]),
          folders: ["/run/secrets/cairn"],
          key: { file: "/run/key" },
        },
        auth: { mode: "auto", publicVersions: false },
        durability: "always",
        tagSigners: "/etc/cairn/signers",
        recordDays: 0,
        console: false,
        leanHttp: false,
        drainGrace: 5,
        ceilings: { tenant: { rate: 600 }, actor: { dailyCost: 1000 }, tool: {} },
        logLevel: "debug",
        logFormat: "auto",
      },
    });
  });

  test("names everything that is wrong at once, each with what would be right", () => {
    const result = readConfig({
      PORT: "70000",
      CAIRN_WORKERS: "65",
      CAIRN_FETCH_INTERVAL: "soon",
      CAIRN_TRUSTED_PROXIES: "0.0.0.0/0",
      CAIRN_ALLOWED_ORIGINS: "https://app.example.com/path",
      CAIRN_EGRESS_MAP: "host-without-url",
      CAIRN_MOUNTS: "docs=srv/docs",
      CAIRN_MODEL_URL: "http://127.0.0.1/v1",
      CAIRN_DURABILITY: "never",
      CAIRN_LIMITS: "tenant.rate=0",
    });
    expect(result).toEqual({
      ok: false,
      problems: [
        "CAIRN_MODEL_URL is set but CAIRN_MODEL_NAME is not; it says which model to ask for",
        "PORT is `70000`; it must be a whole number from 0 to 65535",
        "CAIRN_WORKERS is `65`; it must be a whole number from 1 to 64",
        "CAIRN_FETCH_INTERVAL is `soon`; it must be a whole number from 1 to 86400",
        "CAIRN_TRUSTED_PROXIES is `0.0.0.0/0`; `0.0.0.0/0` has all addresses, so it would trust everyone; name the networks of your own proxies",
        "CAIRN_ALLOWED_ORIGINS is `https://app.example.com/path`; `https://app.example.com/path` is no origin such as https://example.com",
        "CAIRN_EGRESS_MAP is `host-without-url`; `host-without-url` must be `host=URL` with an http or https URL",
        "CAIRN_MOUNTS is `docs=srv/docs`; `docs=srv/docs` must be `name=folder` or `name=folder:rw`, with an absolute path",
        "CAIRN_DURABILITY is `never`; it must be one of effects, always",
        "CAIRN_LIMITS is `tenant.rate=0`; `tenant.rate=0` must be `tenant`, `actor` or `tool`, a dot, `rate`, `concurrency` or (not of a tool) `dailyCost`, and `=` with a whole number from 1",
      ],
    });
  });

  test("takes the key of a model by reference, and says without it what is wrong with a reference", () => {
    const read = (key: string) => {
      const model = { CAIRN_MODEL_URL: "http://127.0.0.1/v1", CAIRN_MODEL_NAME: "small", CAIRN_MODEL_KEY: key };
      const result = readConfig({ ...model, OPENAI_API_KEY: "sk-secret" });
      return result.ok ? result.config.model?.key : result.problems;
    };
    expect(read("env:OPENAI_API_KEY")).toEqual({ value: "sk-secret" });
    expect(read("file:/run/secrets/model")).toEqual({ file: "/run/secrets/model" });
    expect(read("sk-secret")).toEqual({ value: "sk-secret" });
    expect(read("env:NOWHERE")).toEqual(["CAIRN_MODEL_KEY names the environment variable `NOWHERE`, which is not set"]);
  });

  test("takes an empty variable for a missing one", () => {
    expect(readConfig({ PORT: "", CAIRN_REPO: " " })).toMatchObject({ ok: true, config: { port: 3000 } });
  });
});

describe("isUrl", () => {
  test.each([
    ["https://example.com/a.git", true],
    ["ssh://git@example.com/a.git", true],
    ["git@example.com:owner/a.git", true],
    ["file:///srv/a.git", true],
    ["/srv/a.git", false],
    ["./a", false],
    [undefined, false],
  ])("%s -> %s", (repository, expected) => {
    expect(isUrl(repository)).toBe(expected);
  });
});

describe("findUnknownVariables", () => {
  test.each([
    [{ CAIRN_FETCH_INTERVAL: "5", CAIRN_TOKEN: "x", PATH: "/bin", CAIRNS: "x" }, []],
    [
      { CAIRN_FETCH_INTERVALL: "5" },
      ["CAIRN_FETCH_INTERVALL is set, and Cairn has no such variable; did you mean CAIRN_FETCH_INTERVAL?"],
    ],
    [
      { CAIRN_PORT: "8080", CAIRN_WHATEVER_ELSE: "" },
      [
        "CAIRN_PORT is set, and Cairn has no such variable; did you mean PORT?",
        "CAIRN_WHATEVER_ELSE is set, and Cairn has no such variable",
      ],
    ],
    // What workflows set for themselves is known, and nobody's misspelling.
    [{ CAIRN_ROOT: "/x" }, []],
    [{ CAIRN_FOO: "1" }, ["CAIRN_FOO is set, and Cairn has no such variable"]],
    [{ CAIRN_ROOTS: "1" }, ["CAIRN_ROOTS is set, and Cairn has no such variable"]],
    [{ CAIRN_URLS: "1" }, ["CAIRN_URLS is set, and Cairn has no such variable; did you mean CAIRN_URL?"]],
    // A secret that another variable names, and what Kubernetes sets for a service of this name.
    [{ CAIRN_OAUTH_CLIENT_SECRET: "env:CAIRN_MY_SECRET", CAIRN_MY_SECRET: "s" }, []],
    [
      {
        CAIRN_PORT: "tcp://10.0.0.7:3000",
        CAIRN_PORT_3000_TCP: "tcp://10.0.0.7:3000",
        CAIRN_PORT_3000_TCP_ADDR: "10.0.0.7",
        CAIRN_SERVICE_HOST: "10.0.0.7",
        CAIRN_SERVICE_PORT: "3000",
        CAIRN_SERVICE_PORT_HTTP: "3000",
      },
      [],
    ],
  ])("of %j names %j", (environment, expected) => {
    expect(findUnknownVariables(environment)).toEqual(expected);
  });
});

describe("docs/configuration.md", () => {
  test("has a row for every variable, with the words of the code, and no other", () => {
    expect(Object.fromEntries(readTables("docs/configuration.md"))).toEqual(CONFIG_VARIABLES);
  });
});
