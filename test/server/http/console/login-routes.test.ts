import { H3 } from "h3";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createChallenge } from "../../../../server/http/challenge.ts";
import { createDocument } from "../../../../server/http/document.ts";
import { addConsole } from "../../../../server/http/console/routes.ts";
import { createConsoleSessions } from "../../../../server/http/console/session.ts";
import { createRoute, SIGNED_IN } from "../../../../server/http/create-route.ts";
import { createFindClient } from "../../../../server/http/find-client.ts";
import { createGuard } from "../../../../server/http/guards.ts";
import { listenHttp } from "../../../../server/http/listen.ts";
import { CairnError } from "../../../../server/errors.ts";
import { createLog } from "../../../../server/log/log.ts";
import { type LoginBench, openLoginBench, ORIGIN } from "../../../helpers/login-bench.ts";

let bench: LoginBench;
let url: string;

/** The routes behind a proxy that speaks https: the service itself listens on plain http. */
beforeEach(async () => {
  bench = await openLoginBench();
  const app = new H3({ silent: true });
  const { login, ask } = bench;
  const authenticate = ({ authorization = "" }) => ask(authorization.replace(/^Bearer /, ""));
  const route = createRoute(app, {
    guard: createGuard({ host: "127.0.0.1", allowedHosts: ["cairn.example.com"], allowedOrigins: [ORIGIN] }),
    authenticate,
    findClient: createFindClient([]),
    challenge: createChallenge(undefined),
    audit: { denied: () => undefined } as unknown as Parameters<typeof createRoute>[1]["audit"],
    createId: () => "id",
    log: createLog("silent"),
  });
  const refuseUnknown = () => {
    throw new CairnError("NOT_FOUND", "Nothing is here.");
  };
  const consoleSessions = createConsoleSessions(ORIGIN);
  const page = createDocument("text/html", "<!doctype html>", "fast");
  const console = { page, assets: new Map() };
  addConsole(route, { console, consoleSessions, authenticate, refuseUnknown, login, publicUrl: ORIGIN });
  route("GET", "/me", SIGNED_IN, (_event, { actor }) => new Response(actor));
  const adopt: Parameters<typeof listenHttp>[1] = (request) => {
    consoleSessions.adopt(request);
    return false;
  };
  const listening = await listenHttp(app, adopt, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close());
  url = listening.url;
});

/** A browser with its cookies. */
interface Browser {
  readonly cookies: Map<string, string>;
  /** Attributes of every cookie that was set. */
  readonly set: string[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  own(method: string, path: string, body?: unknown): Promise<Response>;
}

function openBrowser(): Browser {
  const cookies = new Map<string, string>();
  const set: string[] = [];
  const browser: Browser = {
    cookies,
    set,
    async fetch(path, init = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { ...(init.headers as Record<string, string>), cookie };
      const response = await fetch(new URL(path, url), { redirect: "manual", ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        set.push(line);
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (line.includes("Max-Age=0")) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
    own: (method, path, body) =>
      browser.fetch(path, {
        method,
        headers: { "cairn-console": "1", origin: ORIGIN, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
  return browser;
}

/** Begins to sign in, and gives the path and query that the provider leads back to. */
async function begin(browser: Browser, returnTo = "/console/versions"): Promise<string> {
  const response = await browser.own("POST", "/console/login", { return_to: returnTo });
  const { url: there } = (await response.json()) as { url: string };
  const back = new URL(bench.provider.visit(there));
  expect(back.origin).toBe(ORIGIN);
  return back.pathname + back.search;
}

describe("signing in to the console with a provider", () => {
  test("ends at the page where it began, with a session in a cookie that no script and no other site can use", async () => {
    const browser = openBrowser();
    const out = await browser.own("GET", "/console/session");
    expect(await out.json()).toEqual({ signed_in: false, needs_token: true, provider: "Example" });
    const back = await begin(browser, "/console/versions?all=false");
    expect(browser.set).toEqual([
      expect.stringMatching(
        /^__Host-cairn-login-[\w-]{8}=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
      ),
    ]);
    const answer = await browser.fetch(back);
    expect(answer.status).toBe(303);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      location: "/console/versions?all=false",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
    expect(browser.set.slice(1)).toEqual([
      expect.stringMatching(/^__Host-cairn-login-[\w-]{8}=; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=0$/),
      expect.stringMatching(/^__Host-cairn=cairn_session_[\w-]{66}; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
    ]);
    const session = await browser.own("GET", "/console/session");
    const text = await session.text();
    expect(JSON.parse(text)).toMatchObject({ signed_in: true, tenant: "acme", actor: "ada via cairn-console" });
    for (const token of bench.provider.issued) expect(text + browser.set.join()).not.toContain(token);
    expect(await (await browser.own("GET", "/me")).text()).toBe("ada via cairn-console");
    expect((await browser.fetch("/me")).status).toBe(401);
  });

  test("goes on in two tabs at once, and each answer counts once", async () => {
    const browser = openBrowser();
    const [one, other] = [await begin(browser, "/console/audit"), await begin(browser, "/console/calls")];
    expect((await browser.fetch(other)).headers.get("location")).toBe("/console/calls");
    expect((await browser.fetch(one)).headers.get("location")).toBe("/console/audit");
    expect((await browser.fetch(one)).headers.get("location")).toBe("/console/login?problem=invalid&return_to=%2F");
    expect([...browser.cookies.keys()]).toEqual(["__Host-cairn"]);
  });

  test("keeps no more than three attempts in a browser", async () => {
    const browser = openBrowser();
    const paths: string[] = [];
    for (let count = 0; count < 5; count++) {
      paths.push(await begin(browser, `/console/versions?count=${count}`));
      bench.pass(1_000);
    }
    expect(browser.cookies.size).toBe(3);
    expect((await browser.fetch(paths[0] ?? "")).headers.get("location")).toContain("problem=invalid");
    expect((await browser.fetch(paths[4] ?? "")).headers.get("location")).toBe("/console/versions?count=4");
  });

  test("does not sign a reader in as somebody else whose answer they are led to (login CSRF)", async () => {
    const [attacker, reader] = [openBrowser(), openBrowser()];
    const stolen = await begin(attacker);
    expect((await reader.fetch(stolen)).headers.get("location")).toContain("problem=invalid");
    await begin(reader);
    expect((await reader.fetch(stolen)).headers.get("location")).toContain("problem=invalid");
    expect([...reader.cookies.keys()]).not.toContain("__Host-cairn");
    expect(bench.provider.requests.filter(({ path }) => path === "/token")).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ["a page of another site", { "cairn-console": "1", origin: ORIGIN, "sec-fetch-site": "cross-site" }, 403],
    ["a form", { origin: ORIGIN }, 403],
    ["a program", { "cairn-console": "1" }, 403],
    ["a page at another name of the service", { "cairn-console": "1", "sec-fetch-site": "same-origin" }, 400],
  ])("is not begun by %s", async (_what, headers, status) => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: "{}" };
    const response = await fetch(`${url}/console/login`, init);
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("replaces the session that somebody prepared, and leads nowhere else (session fixation, open redirect)", async () => {
    const browser = openBrowser();
    browser.cookies.set("__Host-cairn", `cairn_session_${"a".repeat(22)}_${"b".repeat(43)}`);
    const response = await browser.fetch(await begin(browser, "https://evil.example/console/"));
    expect(response.headers.get("location")).toBe("/");
    expect(browser.cookies.get("__Host-cairn")).toMatch(/^cairn_session_(?!a{22})/);
  });

  test("comes back with a reason that the page has words for", async () => {
    const browser = openBrowser();
    bench.provider.wrongs = { answer: { code: "", error: "access_denied" } };
    const response = await browser.fetch(await begin(browser));
    expect(response.headers.get("location")).toBe("/console/login?problem=denied&return_to=%2Fconsole%2Fversions");
    expect(browser.cookies.size).toBe(0);
  });

  test("is a 503 that the page shows while the provider is down", async () => {
    bench.provider.wrongs = { at: { path: "/.well-known/openid-configuration", how: "down" } };
    const response = await openBrowser().own("POST", "/console/login", {});
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      name: "UNAVAILABLE",
      detail: expect.stringContaining("Example") as string,
    });
  });
});

describe("signing out", () => {
  test("ends the session here and leads to the provider, without the page having the ID token", async () => {
    const browser = openBrowser();
    await browser.fetch(await begin(browser));
    const stolen = openBrowser();
    stolen.cookies.set("__Host-cairn", browser.cookies.get("__Host-cairn") ?? "");
    const out = await browser.own("DELETE", "/console/session");
    const text = await out.text();
    expect(JSON.parse(text)).toEqual({
      signed_in: false,
      needs_token: true,
      provider: "Example",
      leave: "/console/login/leave",
    });
    expect(text).not.toContain("ey");
    expect([...browser.cookies.keys()]).toEqual(["__Host-cairn-leave"]);
    expect(browser.set.at(-1)).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=60$/);
    const left = await browser.fetch("/console/login/leave");
    const there = new URL(left.headers.get("location") ?? "");
    expect(there.origin + there.pathname).toBe(`${bench.provider.issuer}/leave`);
    expect(there.searchParams.get("id_token_hint")).toBe(bench.provider.issued[2]);
    expect(browser.cookies.size).toBe(0);
    bench.pass(1_000);
    expect(await (await stolen.own("GET", "/console/session")).json()).toMatchObject({ signed_in: false });
  });

  test("is not begun by a link of another site, which comes without the cookie", async () => {
    const left = await openBrowser().fetch("/console/login/leave");
    expect(left.headers.get("location")).toBe("/");
  });

  test("needs no provider that answers", async () => {
    const browser = openBrowser();
    await browser.fetch(await begin(browser));
    bench.provider.wrongs = { at: { path: "/revoke", how: "down" } };
    expect((await browser.own("DELETE", "/console/session")).status).toBe(200);
    expect(browser.cookies.has("__Host-cairn")).toBe(false);
  });
});
