import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { H3 } from "h3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL_CALLER } from "../../../../server/auth/caller.ts";
import { createChallenge } from "../../../../server/http/challenge.ts";
import { loadConsole } from "../../../../server/http/console/load-console.ts";
import { addConsole } from "../../../../server/http/console/routes.ts";
import { createConsoleSessions } from "../../../../server/http/console/session.ts";
import { createRoute, SIGNED_IN } from "../../../../server/http/create-route.ts";
import { createFindClient } from "../../../../server/http/find-client.ts";
import { createGuard } from "../../../../server/http/guards.ts";
import { type Listening, listenHttp } from "../../../../server/http/listen.ts";
import { CairnError } from "../../../../server/errors.ts";
import { createLog } from "../../../../server/log/log.ts";
import { authenticateAs } from "../../../helpers/open-service.ts";
import { sendRaw } from "../../../helpers/raw-http.ts";
import { createShared, temporaryFolder } from "../../../helpers/temporary.ts";

const shared = createShared();
const SCRIPT = "let one = 1;\n".repeat(200);
let service: Listening;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder(shared.atEnd);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Cairn</title>");
  await writeFile(join(folder, "assets/main-1.js"), SCRIPT);
  await writeFile(join(folder, "assets/main-1.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, "assets/notes.txt"), "not of the console");
  service = await open(folder);
});
afterAll(shared.undoAll);

async function open(built: string): Promise<Listening> {
  const app = new H3({ silent: true });
  const authenticate = authenticateAs({ "Bearer good": { ...LOCAL_CALLER, tenant: "acme", actor: "grace" } });
  const findClient = createFindClient([]);
  const route = createRoute(app, {
    guard: createGuard({ host: "127.0.0.1", allowedHosts: [], allowedOrigins: [] }),
    authenticate,
    findClient,
    challenge: createChallenge(undefined),
    audit: { denied: () => undefined } as unknown as Parameters<typeof createRoute>[1]["audit"],
    createId: () => "id",
    log: createLog("silent"),
  });
  const refuseUnknown = () => {
    throw new CairnError("NOT_FOUND", "Nothing is here.");
  };
  const consoleSessions = createConsoleSessions(undefined);
  const found = await loadConsole(built);
  const options = { consoleSessions, authenticate, refuseUnknown };
  addConsole(route, found === undefined ? options : { ...options, console: found });
  route("GET", "/me", SIGNED_IN, (_event, { actor }) => new Response(actor));
  route("", "/**", SIGNED_IN, refuseUnknown);
  const first: Parameters<typeof listenHttp>[1] = (request) => {
    consoleSessions.adopt(request);
    return false;
  };
  const listening = await listenHttp(app, first, { host: "127.0.0.1", port: 0 });
  shared.atEnd(() => listening.close());
  return listening;
}

const browse = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(service.url + path, { headers: { accept: "text/html,*/*;q=0.8", ...headers } });

function own(init: { method: string; body?: unknown; cookie?: string }) {
  const headers = {
    "cairn-console": "1",
    origin: service.url,
    ...(init.body === undefined ? {} : { "content-type": "application/json" }),
    ...(init.cookie === undefined ? {} : { cookie: init.cookie }),
  };
  return { method: init.method, headers, ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }) };
}

describe("the console", () => {
  test.each(["/", "/console", "/console/versions/1.0.0", "/console/assets/nothing.html"])(
    "answers a browser at %s with its page, which may load nothing but this service's files",
    async (path) => {
      const answer = await browse(path);
      expect(answer.status).toBe(path.includes("assets") ? 404 : 200);
      if (answer.status !== 200) return;
      expect(await answer.text()).toBe("<!doctype html><title>Cairn</title>");
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": "no-cache",
        "content-security-policy": expect.stringMatching(
          /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none';/,
        ) as string,
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      });
      const again = await browse(path, { "if-none-match": answer.headers.get("etag") ?? "" });
      expect(again.status).toBe(304);
    },
  );

  test.each(["/", "/console", "/console/versions"])("is not there for programs at %s", async (path) => {
    expect((await fetch(service.url + path)).status).toBe(401);
    const known = await fetch(service.url + path, { headers: { authorization: "Bearer good" } });
    expect(known.status).toBe(404);
    expect(await known.json()).toMatchObject({ name: "NOT_FOUND" });
  });

  test("has files that are kept for ever, in the form that was made when it was built", async () => {
    const answer = await browse("/console/assets/main-1.js", { "accept-encoding": "br" });
    expect(await answer.text()).toBe(SCRIPT);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "br",
      "content-length": `${brotliCompressSync(SCRIPT).length}`,
      "content-type": "text/javascript; charset=utf-8",
      "x-content-type-options": "nosniff",
      etag: expect.stringMatching(/^"[\w-]+-br"$/) as string,
    });
  });

  test.each(["notes.txt", "main-1.js.br", "..%2findex.html", "nothing.js"])("has no other files: %s", async (name) => {
    expect((await browse(`/console/assets/${name}`)).status).toBe(404);
  });

  test("is not answered under another name, to which an address may have been rebound", async () => {
    const answer = await sendRaw(service.url, {
      path: "/",
      method: "GET",
      headers: [
        ["Host", "evil.example.com"],
        ["Accept", "text/html"],
      ],
    });
    expect(answer.status).toBe(403);
  });

  test("is `undefined` where it was not built, and then nothing changes", async () => {
    expect(await loadConsole(join(folder, "nothing"))).toBeUndefined();
    const without = await open(join(folder, "nothing"));
    const answer = await fetch(`${without.url}/`, { headers: { accept: "text/html", authorization: "Bearer good" } });
    expect(answer.status).toBe(404);
  });
});

describe("signing in", () => {
  const session = () => `${service.url}/console/session`;

  test("keeps the token in a cookie, which then counts as the token does, until it is removed", async () => {
    const out = await fetch(session(), own({ method: "GET" }));
    expect(await out.json()).toEqual({ signed_in: false, needs_token: true });

    const signed = await fetch(session(), own({ method: "POST", body: { token: "good" } }));
    expect(await signed.json()).toMatchObject({ signed_in: true, tenant: "acme", actor: "grace", scopes: ["*"] });
    expect(signed.headers.get("set-cookie")).toBe("cairn-console=good; Path=/; HttpOnly; SameSite=Strict");
    const cookie = "cairn-console=good";
    expect(await (await fetch(`${service.url}/me`, own({ method: "GET", cookie }))).text()).toBe("grace");
    const known = (await (await fetch(session(), own({ method: "GET", cookie }))).json()) as { reader: string };
    expect(known).toMatchObject({ signed_in: true, reader: expect.stringMatching(/^[\w-]{22}$/) as string });
    const dead = await fetch(session(), own({ method: "GET", cookie: "cairn-console=revoked" }));
    expect(await dead.json()).toEqual({ signed_in: false, needs_token: true, ended: true });
    expect((await fetch(`${service.url}/me`, { headers: { cookie } })).status).toBe(401);

    const left = await fetch(session(), own({ method: "DELETE", cookie }));
    expect(left.headers.get("set-cookie")).toMatch(/^cairn-console=;.* Max-Age=0$/);
  });

  test.each([
    ["a token that is none", { token: "bad" }, 401],
    ["a text that is no token", { token: "a;b" }, 400],
    ["more than a cookie holds", { token: "a".repeat(4000) }, 400],
    ["no token", {}, 400],
  ])("refuses %s", async (_what, body, status) => {
    const answer = await fetch(session(), own({ method: "POST", body }));
    expect(answer.status).toBe(status);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test.each([
    ["without the header", { "content-type": "application/json" }],
    ["from another port", { "content-type": "application/json", "cairn-console": "1", origin: "http://127.0.0.1:1" }],
  ])("refuses to sign a reader in or out %s", async (_what, headers) => {
    const request = { headers, body: '{"token":"good"}' };
    expect((await fetch(session(), { method: "POST", ...request })).status).toBe(403);
    expect((await fetch(session(), { method: "DELETE", headers })).status).toBe(403);
  });
});
