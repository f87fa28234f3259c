import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { agentFiles } from "../helpers/agent.ts";
import { sendModern } from "../helpers/modern-mcp.ts";
import { openServiceFor } from "../helpers/open-service.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import { expectSchema } from "../helpers/schemas.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";

const HANDLER = "export default () => ({});\n";
const MORE =
  "name: runner.more\nversion: 1.0.0\ndescription: Does more.\ninput: { type: object }\noutput: { type: object }\n";
const POLICY = { "manifests/policies/roles.yaml": 'roles:\n  trusted: ["*"]\n  reader: []\n' };
const caller = (roles: readonly string[], ...scopes: string[]): Caller => ({
  tenant: "t",
  actor: "ada",
  roles,
  scopes: new Set(scopes),
});
const CALLERS = {
  trusted: caller(["trusted"], "*"),
  reader: caller(["reader"], "*"),
  talker: caller(["trusted"], "runner"),
};

interface Difference {
  readonly required: string;
  readonly hidden: number;
  readonly claims: readonly { readonly tool?: string }[];
  readonly findings: readonly { readonly rule: string; readonly file: string; readonly line: number }[];
}

const shared = createShared();
let repository: TestRepository;
let service: Service;
let commits: readonly string[];

beforeAll(async () => {
  repository = await createRepository(await temporaryFolder(shared.atEnd));
  const secret = { handler: HANDLER, manifest: "requiredCapabilities: [secrets.read]" };
  const first = await repository.release(
    "1.0.0",
    agentFiles({ version: "1.0.0", tools: { hello: { handler: HANDLER }, secret }, files: POLICY }),
  );
  const second = await repository.release("1.1.0", {
    ...agentFiles({
      version: "1.1.0",
      parent: "1.0.0",
      tools: {
        hello: { handler: HANDLER, version: "1.0.1", description: "Says hello." },
        secret: { ...secret, version: "1.0.1", description: "Reads." },
        more: { handler: HANDLER },
      },
    }),
  });
  const third = await repository.release("1.1.1", {
    ...agentFiles({ version: "1.1.1", parent: "1.1.0", tools: { hello: { handler: HANDLER } } }),
    "manifests/runner/more.yaml": null,
    "tools/runner/more.ts": null,
  });
  await repository.release("1.1.2", {
    ...agentFiles({ version: "1.1.2", parent: "1.1.0", tools: {}, files: POLICY }),
    "manifests/runner/secret.yaml": null,
    "tools/runner/secret.ts": null,
    "manifests/runner/hello.yaml": null,
    "tools/runner/hello.ts": null,
  });
  // Two pull requests of 1.0.0, of which one claims too little.
  await repository.git("switch", "--quiet", "--create", "proposal", "v1.0.0");
  const more = { "manifests/runner/more.yaml": MORE, "tools/runner/more.ts": HANDLER };
  const low = await repository.commit({ ...more, "changes/more.md": "---\nkind: patch\n---\nMore.\n" });
  const enough = await repository.commit({ "changes/more.md": "---\nkind: minor\n---\nMore.\n" });
  await repository.git("switch", "--quiet", "main");
  commits = [first, second, third, low, enough];
  service = await openServiceFor(repository.path, CALLERS, shared.atEnd);
});
afterAll(shared.undoAll);

async function get(who: string, path: string) {
  const response = await fetch(service.url + path, { headers: { authorization: who } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
}

describe("GET /versions/{a}...{b}", () => {
  test("[D3] tells the difference, with rules and places", async () => {
    const { status, body } = await get("trusted", "/versions/1.0.0...1.1.0");
    expect(status).toBe(200);
    expectSchema("version-difference", body);
    expect(body).toMatchObject({
      from: { version: "1.0.0", commit: commits[0] },
      to: { version: "1.1.0", commit: commits[1] },
      required: "minor",
      under_claimed: false,
      hidden: 0,
    });
    const { findings } = body as Difference;
    expect(findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`)).toEqual([
      "tool-added manifests/runner/more.yaml:1",
      "text-changed manifests/runner/hello.yaml:3",
      "tool-version-changed manifests/runner/hello.yaml:2",
      "text-changed manifests/runner/secret.yaml:3",
      "tool-version-changed manifests/runner/secret.yaml:2",
    ]);
  });

  test("goes by the change fragments of a pull request, which has the number of its base", async () => {
    const [, , , low = "", enough = ""] = commits;
    const { body } = await get("trusted", `/versions/1.0.0...${enough}`);
    expectSchema("version-difference", body);
    expect(body).toMatchObject({
      to: { version: "1.0.0", commit: enough },
      required: "minor",
      under_claimed: false,
      claims: [{ from: "1.0.0", to: "1.1.0", claimed: "minor", required: "minor" }],
    });
    expect((await get("trusted", `/versions/1.0.0...${low}`)).body).toMatchObject({ under_claimed: true });
  });

  test("leaves out what the caller may not use, and says how much", async () => {
    const { body } = await get("reader", "/versions/1.0.0...1.1.0");
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(body).toMatchObject({ required: "minor", hidden: 2 });
    expect((body as Difference).claims.map(({ tool }) => tool)).toEqual([undefined, "runner.hello"]);
  });

  test("is the caller's own where tools are guarded, and asks for the scope", async () => {
    const { headers } = await get("reader", "/versions/1.0.0...1.1.0");
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("vary")).toContain("Authorization");
    expect(await get("talker", "/versions/1.0.0...1.1.0")).toMatchObject({
      status: 403,
      body: { name: "INSUFFICIENT_SCOPE" },
    });
  });

  test("is kept for ever between commits without guarded tools", async () => {
    const open = await createRepository(await temporaryFolder(shared.atEnd));
    await open.release("1.0.0", agentFiles({ version: "1.0.0", tools: { hello: { handler: HANDLER } } }));
    const other = await openServiceFor(open.path, CALLERS, shared.atEnd);
    const ask = (path: string) => fetch(other.url + path, { headers: { authorization: "reader" } });
    const pinned = await ask("/versions/1.0.0...1.0.0");
    expect(pinned.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    expect(await pinned.json()).toMatchObject({ required: "none", findings: [] });
    expect((await ask("/versions/1.0.0...latest")).headers.get("cache-control")).toBe("no-cache");
  });

  test.each([
    ["/versions/1.0.0...9.0.0", "VERSION_NOT_FOUND"],
    ["/versions/...1.0.0", "VERSION_NOT_FOUND"],
    ["/versions/1.0.0...1.1.0...1.1.1", "VERSION_NOT_FOUND"],
    ["/versions/1.0.0...1.1.1", "VERSION_QUARANTINED"],
  ])("refuses %s with %s", async (path, name) => {
    expect(await get("trusted", path)).toMatchObject({ status: 404, body: { name } });
  });

  test("[D3] compares an under-claimed version by its commit", async () => {
    const { body } = await get("trusted", `/versions/1.1.0...${commits[2]}`);
    expect(body).toMatchObject({ required: "major", under_claimed: true });
  });
});

describe("[V8] a tag that says less than it changes", () => {
  test("is refused with what it fails to say, and described with it", async () => {
    const refused = await get("trusted", "/agent/1.1.1/api/tools");
    expect(refused).toMatchObject({ status: 404, body: { name: "VERSION_QUARANTINED" } });
    const { body } = await get("trusted", "/versions/1.1.1");
    expectSchema("version-detail", body);
    expect(body).toMatchObject({
      state: "quarantined",
      claim: "under-claimed",
      tests: { status: "fail" },
      problems: expect.arrayContaining([
        expect.objectContaining({ rule: "tool-removed", file: "manifests/runner/more.yaml" }),
      ]),
    });
    expect((await get("trusted", "/agent/latest")).body).toMatchObject({ semver: "1.1.0", claim: "proven" });
  });
});

describe("[V8] the problems of a refused version", () => {
  test.each(["/versions/1.1.2", "/agent/1.1.2"])("name a guarded tool at %s only to who may use it", async (path) => {
    const [trusted, reader] = [await get("trusted", path), await get("reader", path)];
    for (const { body } of [trusted, reader]) expectSchema("version-detail", body);
    const problemsOf = ({ body }: typeof trusted) =>
      (body as { readonly problems: readonly Record<string, unknown>[] }).problems.filter(
        ({ rule }) => rule === "tool-removed",
      );
    expect(
      problemsOf(trusted)
        .map(({ file }) => file)
        .toSorted(),
    ).toEqual(["hello", "more", "secret"].map((name) => `manifests/runner/${name}.yaml`));
    expect(problemsOf(reader)).toEqual([
      expect.objectContaining({ file: "manifests/runner/hello.yaml" }),
      expect.objectContaining({ file: "manifests/runner/more.yaml" }),
      {
        file: "versions.yaml",
        line: 1,
        column: 1,
        rule: "tool-removed",
        message: "It is about a tool that needs capabilities.",
        fix: "It needs a major bump.",
      },
    ]);
    expect(JSON.stringify(reader.body)).not.toContain("secret");
    expect(reader.headers.get("vary")?.toLowerCase()).toContain("authorization");
  });

  test("name it in no error, and in the changelog only to who may use it", async () => {
    const refused = await get("trusted", "/agent/1.1.2/api/tools");
    expect(refused).toMatchObject({ status: 404, body: { name: "VERSION_QUARANTINED" } });
    expect(JSON.stringify(refused.body)).not.toContain("secret");
    const changelog = async (who: string) => {
      const response = await fetch(`${service.url}/versions/1.1.2/changelog`, { headers: { authorization: who } });
      return response.text();
    };
    expect(await changelog("trusted")).toContain("runner.secret");
    expect(await changelog("reader")).toContain("It is about a tool that needs capabilities.");
    expect(await changelog("reader")).not.toContain("secret");
  });
});

test("the fingerprint is the same wherever it is told", async () => {
  const { body } = await get("trusted", "/versions/1.1.0");
  const { fingerprint } = body as { fingerprint: string };
  const ask = async (method: string, params: Readonly<Record<string, unknown>> = {}) => {
    const sent = await sendModern(`${service.url}/agent/1.1.0/runner`, {
      method,
      params,
      headers: { authorization: "trusted" },
    });
    return JSON.stringify(await sent.rest());
  };
  for (const list of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
    expect(await ask(list)).toContain(`"cairn/fingerprint":"${fingerprint}"`);
  }
  expect(await ask("resources/read", { uri: "compat://manifest" })).toContain(
    `\\"fingerprint\\": \\"${fingerprint}\\"`,
  );
  expect((await runIn(repository.path, ["surface", "v1.1.0", "--digest"])).printed).toBe(fingerprint);
});
