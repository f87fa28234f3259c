import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIXTURE_VERSION } from "../fixtures/tenants.ts";
import { findEverything, readEverything } from "../helpers/agent-walk.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { toToolCall } from "../helpers/modern-mcp.ts";
import { createShared } from "../helpers/temporary.ts";
import { toPlain } from "../helpers/to-plain.ts";
import { type Answered, openTenants, OWN_VERSION, type Tenants, type Who } from "../helpers/two-tenants.ts";

const shared = createShared();
let tenants: Tenants;

beforeAll(async () => {
  tenants = await openTenants(shared.atEnd);
});
afterAll(shared.undoAll);

describe("[G7] what a caller may not use", () => {
  const hidden = ["runner.chat", "runner.note"];

  test("is in no list, no document and no view of the service", async () => {
    const chat = await tenants.rest("ada", `/agent/${FIXTURE_VERSION}/api/tools/runner.chat`, {
      text: "mark-ada-chat",
    });
    const id = chat.headers.get("cairn-conversation-id") ?? "";
    const seen = await readEverything(tenants, await findEverything(tenants), "ray", FIXTURE_VERSION);
    expect(seen).toContain("runner.echo");
    for (const name of hidden) expect(seen).not.toContain(name);
    expect(seen).not.toContain("mark-ada-chat");
    for (const uri of [`session://${id}`, `logs://${id}`]) {
      const madeUp = uri.replace(id, randomUUID());
      expect(toPlain(await tenants.read("ray", FIXTURE_VERSION, uri))).toEqual(
        toPlain(await tenants.read("ray", FIXTURE_VERSION, madeUp)),
      );
      expect((await tenants.read("ada", FIXTURE_VERSION, uri)).text).toContain("mark-ada-chat");
    }
    const listed = await tenants.legacy("ray", FIXTURE_VERSION, "runner", { method: "tools/list" });
    expect(listed.text.match(/"name":"runner\.\w+"/g)).toEqual(['"name":"runner.echo"', '"name":"runner.others"']);
    const { body } = await tenants.rest("ray", `/agent/${FIXTURE_VERSION}/api/tools/runner.others`, { text: "x" });
    expect(body).toEqual({ names: ["runner.echo"] });
  });

  test("is refused with the capability that is missing", async () => {
    const reason = "`runner.chat` requires `tool:runner.chat`, which `ray` does not hold.";
    const path = `/agent/${FIXTURE_VERSION}/api/tools/runner.chat`;
    for (const input of [undefined, { text: "x" }, { wrong: true }]) {
      const { status, body } = await tenants.rest("ray", path, input);
      expect([status, body]).toMatchObject([403, { code: 2101, name: "FORBIDDEN", detail: reason }]);
    }
    const called = await tenants.modern("ray", FIXTURE_VERSION, "runner", toToolCall("runner.chat", { text: "x" }));
    expect([called.status, JSON.parse(called.text)]).toMatchObject([
      200,
      [{ result: { isError: true, _meta: { "cairn/error": { code: 2101, name: "FORBIDDEN", message: reason } } } }],
    ]);
  });

  test("is refused as docs/policies.md shows it", async () => {
    const [, example = ""] = /```json\n(.*?)```/s.exec(readFileSync("docs/policies.md", "utf8")) ?? [];
    const path = `/agent/${OWN_VERSION}/api/tools`;
    const { status, body } = await tenants.rest("ray", `${path}/runner.chat`, { message: "Hello!" });
    const id = expect.any(String) as string;
    expect([status, body]).toEqual([403, { ...(JSON.parse(example) as object), conversation_id: id }]);
    const { body: listed } = await tenants.rest("ray", path);
    expect((listed as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      "datastore_decision_findById",
      "runner.get_weather",
    ]);
  });

  test("is not named to somebody who asks for what does not exist", async () => {
    const byRest = await tenants.rest("ray", `/agent/${FIXTURE_VERSION}/api/tools/runner.gone`, {});
    const byMcp = await tenants.modern("ray", FIXTURE_VERSION, "runner", toToolCall("runner.gone"));
    for (const { text } of [byRest, byMcp]) {
      expect(text).toContain("runner.echo");
      for (const name of hidden) expect(text).not.toContain(name);
    }
  });

  test("is kept out of shared caches", async () => {
    for (const path of ["", "/openapi.json", "/api/tools", "/api/tools/runner.others"]) {
      const { headers } = await tenants.rest("ray", `/agent/${FIXTURE_VERSION}${path}`);
      expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
        "private, no-cache",
        expect.stringContaining("Authorization"),
      ]);
    }
    const { text } = await tenants.modern("ray", FIXTURE_VERSION, "runner", { method: "tools/list" });
    expect(text).toContain('"cacheScope":"private"');
  });

  test("cannot be done by a request of a session because another one of the same person could", async () => {
    const { id } = await openLegacySession(tenants.addressOf(FIXTURE_VERSION, "talker"), {
      headers: { authorization: "ada" },
    });
    const list = (who: Who, at: number) =>
      tenants.legacy(who, FIXTURE_VERSION, "talker", { method: "tools/list", id: at, session: id });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => list(at % 2 === 0 ? "ada" : "tired", at)));
    expect(answers.map(({ text }) => text.includes("talker.ask"))).toEqual(answers.map((_, at) => at % 2 === 0));
  });
});

describe("an address that asks for credentials", () => {
  const PATHS = [
    "/versions",
    `/versions/${OWN_VERSION}`,
    `/versions/${OWN_VERSION}/changelog`,
    `/agent/${OWN_VERSION}`,
    `/agent/${OWN_VERSION}/openapi.json`,
    `/agent/${OWN_VERSION}/api/tools`,
    `/agent/${OWN_VERSION}/api/tools/runner.chat`,
    `/agent/${OWN_VERSION}/runner`,
    "/agent/1.2.3/runner",
    "/agent/1.2.3/openapi.json",
    "/agent/latest/nothing",
    "/nothing",
  ];

  test.each(PATHS)("says the same of every version to those who have none: %s", async (path) => {
    for (const body of [undefined, {}]) {
      const { status, text } = await tenants.rest("Bearer wrong", path, body);
      expect([status, text]).toEqual([401, expect.stringContaining("UNAUTHENTICATED")]);
      for (const version of [OWN_VERSION, FIXTURE_VERSION, "0.1", "latest"]) expect(text).not.toContain(version);
    }
  });

  test("refuses credentials that are for another part of the service, before it says what is there", async () => {
    const refusal = (scope: string) => [403, expect.stringContaining(`the scope \`${scope}\``)];
    const seen = async (answer: Promise<Answered>) => {
      const { status, text } = await answer;
      return [status, text];
    };
    for (const version of [FIXTURE_VERSION, "1.2.3"]) {
      expect(await seen(tenants.modern("tess", version, "runner", { method: "tools/list" }))).toEqual(
        refusal("runner"),
      );
      expect(await seen(tenants.rest("tess", `/agent/${version}/api/tools`))).toEqual(refusal("versions:read"));
    }
    expect(await seen(tenants.rest("tess", "/versions"))).toEqual(refusal("versions:read"));
    expect(await seen(tenants.rest("vera", "/versions/refresh", {}))).toEqual(refusal("versions:refresh"));
    const echo = `/agent/${FIXTURE_VERSION}/api/tools/runner.echo`;
    for (const who of ["tess", "vera"])
      expect(await seen(tenants.rest(who, echo, { text: "x" }))).toEqual(refusal("runner"));
    expect((await tenants.modern("tess", FIXTURE_VERSION, "talker", { method: "tools/list" })).status).toBe(200);
    expect((await tenants.rest("vera", echo)).status).toBe(200);
    expect((await tenants.rest("ada", "/versions/refresh", {})).status).toBe(200);
  });
});
