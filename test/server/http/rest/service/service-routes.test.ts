import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIXTURE_VERSION } from "../../../../fixtures/tenants.ts";
import { expectSchema } from "../../../../helpers/schemas.ts";
import { createShared } from "../../../../helpers/temporary.ts";
import { openTenants, type Tenants } from "../../../../helpers/two-tenants.ts";

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
