import { describe, expect, onTestFinished, test } from "vitest";
import { openFetchSyscall } from "../../../../server/capabilities/fetch/fetch.ts";
import type { Secrets } from "../../../../server/capabilities/secrets/secrets.ts";
import { NOTHING_REVOKED } from "../../../../server/versions/revoked.ts";
import type { Revoked } from "../../../../server/versions/policy.ts";
import type { ToolSecret } from "../../../../server/versions/secret.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";
import { type KeyedApi, openKeyedApi } from "../../../stand-ins/keyed-api.ts";

const KEY = "s3cr3t+/key=of:the&api";
const HOST = "api.example.com";
const BEARER = { name: "API", of: "service", hosts: [HOST], header: "Authorization", format: "Bearer {}" } as const;
const QUERY = { name: "API", of: "service", hosts: [HOST], query: "api_key", format: "{}" } as const;

interface Options {
  readonly secrets?: readonly ToolSecret[];
  readonly value?: string | undefined;
  readonly map?: (api: KeyedApi, other: KeyedApi) => Readonly<Record<string, string>>;
  readonly revoked?: Partial<Revoked>;
}

/** `ctx.fetch` of a tool with secrets, for an API that demands its key, and another host that is nobody's business. */
async function setUp(options: Options = {}) {
  const [api, other] = [await openKeyedApi(KEY), await openKeyedApi(KEY)];
  const asked: unknown[] = [];
  const secrets: Secrets = {
    async find(secret, caller) {
      asked.push({ name: secret.name, of: secret.of, tenant: caller.tenant });
      return "value" in options ? options.value : KEY;
    },
  };
  const map = options.map?.(api, other) ?? {
    [HOST]: api.url,
    [`${HOST}:8443`]: api.url,
    "other.example.com": other.url,
  };
  const { table, close } = openFetchSyscall({
    egressMap: new Map(Object.entries(map)),
    revoked: () => ({ ...NOTHING_REVOKED, ...options.revoked }),
    now: Date.now,
    secrets,
  });
  onTestFinished(close);
  const egress = [HOST, `${HOST}:8443`, "other.example.com"];
  const call = createRunningCall({
    tool: { name: "t", server: "s", egress, secrets: options.secrets ?? [BEARER] },
  });
  const fetch = async (url: string, headers = {}) =>
    (await table.fetch.run(call, { url, headers })) as {
      status: number;
      headers: Record<string, string>;
      body: string;
    };
  return { api, other, asked, fetch };
}

const escapeAll = (text: string) => text.replace(/[^%]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
const to = (url: string, status = 302) => `https://${HOST}/to?status=${status}&url=${encodeURIComponent(url)}`;

describe("[D12] a secret that a request carries", () => {
  test("goes in its header, in its format, to its host", async () => {
    const { api, asked, fetch } = await setUp();
    expect(await fetch(`https://${HOST}/user?a=b%20c`)).toMatchObject({ status: 200, body: '{"login":"ada"}' });
    expect(api.arrived).toMatchObject([{ path: "/user?a=b%20c", headers: { authorization: `Bearer ${KEY}` } }]);
    expect(asked).toEqual([{ name: "API", of: "service", tenant: "local" }]);
  });

  test("goes in its parameter, beside those of the handler as they were written", async () => {
    const { api, fetch } = await setUp({ secrets: [QUERY] });
    expect(await fetch(`https://${HOST}/user?a=b%20c`)).toMatchObject({ status: 200 });
    expect(await fetch(`https://${HOST}/user`)).toMatchObject({ status: 200 });
    const added = `api_key=${encodeURIComponent(KEY)}`;
    expect(api.arrived.map(({ path }) => path)).toEqual([`/user?a=b%20c&${added}`, `/user?${added}`]);
  });

  test.each([
    ["another host", "https://other.example.com/user"],
    ["another port", `https://${HOST}:8443/user`],
  ])("does not go to %s, and is not even loaded", async (_, url) => {
    const { api, other, asked, fetch } = await setUp();
    expect(await fetch(url)).toMatchObject({ status: 401 });
    expect([...api.arrived, ...other.arrived]).toMatchObject([{ headers: { host: expect.any(String) } }]);
    expect(asked).toEqual([]);
    expect(JSON.stringify([...api.arrived, ...other.arrived])).not.toContain("s3cr3t");
  });

  test.each([
    ["another host", "https://other.example.com/user"],
    ["another port", `https://${HOST}:8443/user`],
    ["another host and back", `https://other.example.com/to?url=${encodeURIComponent(`https://${HOST}/user`)}`],
  ])("does not follow a redirect to %s", async (_, url) => {
    for (const secrets of [[BEARER], [QUERY]]) {
      const { api, other, fetch } = await setUp({ secrets });
      expect(await fetch(to(url, 307))).toMatchObject({ status: 401, body: expect.not.stringContaining("s3cr3t") });
      const later = [...api.arrived.slice(1), ...other.arrived];
      expect(later.length).toBeGreaterThan(0);
      expect(JSON.stringify(later)).not.toContain("s3cr3t");
    }
  });

  test("does not follow a redirect to plain http, which is refused", async () => {
    const { fetch } = await setUp();
    await expect(fetch(to(`http://${HOST}/user`))).rejects.toMatchObject({ name: "EGRESS_DENIED" });
  });

  test("follows a redirect on its own host", async () => {
    const { api, fetch } = await setUp();
    expect(await fetch(to("/user"))).toMatchObject({ status: 200 });
    expect(api.arrived.map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  test.each([
    ["as it is", "https://other.example.com/?stolen=KEY"],
    ["in the name of a host", "https://KEY.example.com/"],
    ["in an address in an address", `https://other.example.com/?next=${encodeURIComponent("/a?key=%6b%65%79-KEY")}`],
    [
      "in an address in base64",
      `https://other.example.com/${Buffer.from("/a?key=s3cr3tkeyoftheapi").toString("base64url")}`,
    ],
    ["with each character escaped", `https://other.example.com/?next=${escapeAll(escapeAll("s3cr3tkeyoftheapi"))}`],
  ])("is not taken elsewhere by the address of a redirect: %s", async (_, url) => {
    const key = "s3cr3tkeyoftheapi";
    const { api, other, fetch } = await setUp({ value: key });
    api.rotate(key);
    const found = fetch(to(url));
    await expect(found).rejects.toMatchObject({ message: expect.not.stringContaining(key) });
    await expect(found).rejects.toHaveProperty("name", expect.stringMatching(/UPSTREAM_ERROR|EGRESS_DENIED/));
    expect(other.arrived).toEqual([]);
  });

  test("gives way to a header or parameter of the handler's own, whatever its case", async () => {
    const { api, fetch } = await setUp();
    expect(await fetch(`https://${HOST}/user`, { authoriZation: "Bearer mine" })).toMatchObject({ status: 401 });
    expect(api.arrived).toMatchObject([{ headers: { authorization: "Bearer mine" } }]);
    const query = await setUp({ secrets: [QUERY] });
    await query.fetch(`https://${HOST}/user?api_key=mine`);
    expect(query.api.arrived).toMatchObject([{ path: "/user?api_key=mine" }]);
  });

  test.each([
    ["header", BEARER],
    ["parameter", QUERY],
  ])("is in nothing that a host sends back: from a %s", async (_, secret) => {
    const { fetch } = await setUp({ secrets: [secret] });
    const { body, headers } = await fetch(`https://${HOST}/echo`);
    const answer = `${body}\n${JSON.stringify(headers)}`;
    const forms = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString("base64"), Buffer.from(KEY).toString("hex")];
    for (const form of [...forms, Buffer.from(`Bearer ${KEY}`).toString("base64")]) expect(answer).not.toContain(form);
    expect(answer.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(7);
    expect(JSON.parse(body)).toMatchObject({ html: expect.stringContaining("[redacted]") });
  });

  test("is not the name of a header that a host sends back", async () => {
    const key = "sk-live-4f9a8b7c6d5e";
    const { fetch } = await setUp({ value: key });
    const { headers } = await fetch(`https://${HOST}/echo`);
    expect(Object.keys(headers)).toContain("x-echo");
    expect(Object.keys(headers).filter((name) => name.includes(key))).toEqual([]);
  });

  test("is missing: the request is not sent", async () => {
    const { api, fetch } = await setUp({ value: undefined });
    await expect(fetch(`https://${HOST}/user`)).rejects.toMatchObject({ name: "SECRET_MISSING" });
    expect(api.arrived).toEqual([]);
  });

  test("does not go to a host that the default branch revokes", async () => {
    const { api, fetch } = await setUp({ revoked: { hosts: [HOST] } });
    await expect(fetch(`https://${HOST}/user`)).rejects.toMatchObject({ name: "EGRESS_DENIED" });
    expect(api.arrived).toEqual([]);
  });

  test("does not go without https to another machine, where an operator's map leads", async () => {
    const { fetch } = await setUp({ map: () => ({ [HOST]: "http://192.0.2.1:9" }) });
    await expect(fetch(`https://${HOST}/user`)).rejects.toMatchObject({
      name: "EGRESS_DENIED",
      message:
        "`ctx.fetch`: `api.example.com` is mapped to an address without https, and the secret `API` goes there only with it.",
    });
  });

  test("is in no error of a host that cannot be reached", async () => {
    const { fetch } = await setUp({ secrets: [QUERY], map: () => ({ [HOST]: "http://127.0.0.1:1" }) });
    const error: unknown = await fetch(`https://${HOST}/user`).catch((failed: unknown) => failed);
    expect(error).toMatchObject({ name: "UPSTREAM_ERROR" });
    expect(error).not.toHaveProperty("cause");
    expect(String((error as Error).stack)).not.toContain("s3cr3t");
  });
});
