import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIXTURE_VERSION } from "../../../../fixtures/tenants.ts";
import { expectSchema } from "../../../../helpers/schemas.ts";
import { createShared } from "../../../../helpers/temporary.ts";
import { openTenants, OWN_VERSION, type Tenants } from "../../../../helpers/two-tenants.ts";

const shared = createShared();
let tenants: Tenants;

beforeAll(async () => {
  tenants = await openTenants(shared.atEnd);
});
afterAll(shared.undoAll);

describe("the OpenAPI document of the service", () => {
  test("is valid, names each request once, and needs no token", async () => {
    const { status, body } = await tenants.rest("nobody", "/openapi.json");
    expect(status).toBe(200);
    expect((await new Validator().validate(body as Record<string, unknown>)).errors).toBeUndefined();
    const { paths } = body as { paths: Record<string, { get: { operationId: string } }> };
    const ids = Object.values(paths).map(({ get }) => get.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(paths)).toContain("/me");
  });
});

describe("who calls", () => {
  test("is told by their own credentials, with any scope", async () => {
    const { status, body, headers } = await tenants.rest("tess", "/me");
    expect([status, body]).toEqual([
      200,
      { tenant: "a", actor: "tess", roles: ["member"], scopes: ["talker"], anonymous: false },
    ]);
    expectSchema("me", body);
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect((await tenants.rest("nobody", "/me")).status).toBe(401);
  });

  test("may do in a version what its policies grant there, as far as the scopes reach", async () => {
    const rightsOf = (who: string) => tenants.rest(who, `/agent/${FIXTURE_VERSION}/api/rights`);
    const { body } = await rightsOf("ray");
    expectSchema("rights", body);
    expect(body).toMatchObject({
      version: FIXTURE_VERSION,
      roles: ["reader"],
      capabilities: ["tool:runner.echo"],
      servers: ["runner", "talker"],
      tools: ["runner.echo", "runner.others"],
    });
    expect((await rightsOf("vera")).body).toMatchObject({
      capabilities: expect.arrayContaining(["tool:runner.note"]),
      servers: [],
      tools: [],
    });
    expect(await rightsOf("tess")).toMatchObject({ status: 403, body: { name: "INSUFFICIENT_SCOPE" } });
  });
});

describe("the graph of versions", () => {
  test("has states, parents and tests, page by page", async () => {
    const first = (await tenants.rest("vera", "/version-graph?limit=1")).body as Page;
    expectSchema("version-graph", first);
    expect(first).toMatchObject({
      total: 2,
      versions: [
        { semver: FIXTURE_VERSION, state: "served", parent: null, tests: { status: "unknown" }, problems: [] },
      ],
    });
    const second = (await tenants.rest("vera", `/version-graph?limit=1&cursor=${first.next}`)).body as Page;
    expect(second.versions.map(({ semver }) => semver)).toEqual([OWN_VERSION]);
    expect(second.next).toBeUndefined();
  });

  test("refuses other parameters, and cursors that nobody gave out", async () => {
    for (const query of ["offset=1", "cursor=1", "cursor=LTE", "limit=0", "limit=1&limit=2"]) {
      expect([query, (await tenants.rest("vera", `/version-graph?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await tenants.rest("tess", "/version-graph")).status).toBe(403);
  });

  test("has heads of pull requests alone where somebody asks for those", async () => {
    const { body } = await tenants.rest("vera", "/version-graph?pull_requests=true");
    expect(body).toEqual({ versions: [], total: 0 });
    expect((await tenants.rest("vera", "/version-graph?pull_requests=yes")).status).toBe(400);
  });
});

describe("who uses versions", () => {
  test("is told of the caller's tenant alone, with the scope for its audit log", async () => {
    const call = (who: string, tool: string) =>
      tenants.rest(who, `/agent/${FIXTURE_VERSION}/api/tools/runner.${tool}`, { text: "hello" });
    for (const who of ["ada", "ray", "bob"]) expect((await call(who, "echo")).status).toBe(200);
    expect((await call("ray", "note")).status).toBe(403);
    const { body } = await tenants.rest("ray", `/usage?version=${FIXTURE_VERSION}`);
    expectSchema("usage", body);
    const { uses } = body as { uses: readonly { actor: string; tool?: string; calls: number; failed: number }[] };
    const calls = uses.filter(({ tool }) => tool !== undefined);
    expect(calls.map(({ actor, tool, calls: all, failed }) => [actor, tool, all, failed]).sort()).toEqual([
      ["ada", "runner.echo", 1, 0],
      ["ray", "runner.echo", 1, 0],
      ["ray", "runner.note", 1, 1],
    ]);
    expect((await tenants.rest("ray", "/usage?version=1.2.3")).body).toMatchObject({ uses: [], truncated: false });
    expect((await tenants.rest("ray", "/usage?limit=1")).body).toMatchObject({ truncated: true });
    expect(await tenants.rest("vera", "/usage")).toMatchObject({ status: 403, body: { name: "INSUFFICIENT_SCOPE" } });
  });
});

interface Page {
  readonly versions: readonly { readonly semver: string }[];
  readonly next?: string;
}
