import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { createConsoleSessions } from "../../../../server/http/console/session.ts";

const OWN = { host: "cairn.example.com", "cairn-console": "1" };
const HERE = "https://cairn.example.com";

/** What a request ends up with as `authorization`. */
function adopt(headers: Readonly<Record<string, string>>, method = "POST", publicUrl?: string): string | undefined {
  const request = { method, headers: { ...headers } } as unknown as IncomingMessage;
  createConsoleSessions(publicUrl).adopt(request);
  return request.headers.authorization;
}

describe("the cookie of the console", () => {
  const cookie = "other=1; cairn-console=cairn_a_b";

  test.each([
    ["a request from this origin", { ...OWN, origin: HERE }],
    ["a request that the browser calls its own", { ...OWN, "sec-fetch-site": "same-origin" }],
  ])("counts as a bearer token in %s", (_what, headers) => {
    expect(adopt({ ...headers, cookie })).toBe("Bearer cairn_a_b");
  });

  test("counts when reading over plain http, where browsers say nothing else", () => {
    expect(adopt({ ...OWN, cookie }, "GET")).toBe("Bearer cairn_a_b");
    expect(adopt({ ...OWN, cookie }, "POST")).toBeUndefined();
  });

  test.each([
    ["without the header, which a form cannot send", { host: OWN.host, origin: HERE }],
    ["from another site", { ...OWN, "sec-fetch-site": "cross-site" }],
    ["from another port or neighbour of this host", { ...OWN, "sec-fetch-site": "same-site" }],
    ["from an address that was typed", { ...OWN, "sec-fetch-site": "none" }],
    ["from another origin", { ...OWN, origin: "https://evil.example.com" }],
    ["from another port", { ...OWN, origin: `${HERE}:8443` }],
    ["from a page without an origin", { ...OWN, origin: "null" }],
  ])("does not count %s", (_what, headers) => {
    expect(adopt({ ...headers, cookie })).toBeUndefined();
    expect(adopt({ ...headers, cookie }, "GET")).toBeUndefined();
  });

  test("does not count for a page that shows another reader, and a reader's word is not the token", () => {
    const sessions = createConsoleSessions(undefined);
    const reader = sessions.findReader(cookie, "Bearer cairn_a_b");
    expect(reader).toMatch(/^[\w-]{22}$/);
    expect(reader).toBe(sessions.findReader("cairn-console=cairn_a_b", "Bearer cairn_a_b"));
    expect(sessions.findReader(cookie, "Bearer cairn_other")).toBeUndefined();
    const headers = { ...OWN, origin: HERE };
    expect(adopt({ ...headers, cookie, "cairn-reader": reader ?? "" })).toBe("Bearer cairn_a_b");
    const stale = {
      method: "POST",
      headers: { ...headers, cookie: "cairn-console=cairn_c_d", "cairn-reader": reader },
    };
    expect(sessions.adopt(stale as unknown as IncomingMessage)?.name).toBe("READER_CHANGED");
    expect(stale.headers).not.toHaveProperty("authorization");
  });

  test("never replaces a token that was sent, and is none when it has other characters", () => {
    const headers = { ...OWN, origin: HERE };
    expect(adopt({ ...headers, cookie, authorization: "Bearer mine" })).toBe("Bearer mine");
    expect(adopt({ ...headers, cookie: "cairn-console=a b" })).toBeUndefined();
    expect(adopt({ ...headers, cookie: "x-cairn-console=a" })).toBeUndefined();
  });

  test("has the prefix over https, and no other name counts there", () => {
    const headers = { ...OWN, origin: HERE };
    expect(adopt({ ...headers, cookie }, "POST", HERE)).toBeUndefined();
    expect(adopt({ ...headers, cookie: "__Host-cairn=a" }, "POST", HERE)).toBe("Bearer a");
  });

  test("knows the public address, whatever name a proxy asks by", () => {
    const headers = { ...OWN, host: "10.0.0.5:3000", origin: HERE, cookie: "__Host-cairn=a" };
    expect(adopt(headers, "POST", HERE)).toBe("Bearer a");
    expect(adopt(headers, "POST", "https://elsewhere.example.com")).toBeUndefined();
  });

  test("is out of reach of scripts and other sites, and only sent over https where the page came so", () => {
    const from = (origin: string) => ({ method: "POST", header: (name: string) => ({ origin })[name] });
    const { toCookie } = createConsoleSessions(undefined);
    expect(toCookie(from("http://127.0.0.1:3000"), "a")).toBe("cairn-console=a; Path=/; HttpOnly; SameSite=Strict");
    expect(toCookie(from(HERE), "a")).toBe("__Host-cairn=a; Path=/; HttpOnly; SameSite=Strict; Secure");
    expect(toCookie(from(HERE), "")).toBe("__Host-cairn=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0");
    expect(createConsoleSessions(HERE).toCookie(from("http://proxy"), "a")).toMatch(/^__Host-cairn=a;.* Secure$/);
  });
});
