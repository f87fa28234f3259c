import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Service } from "../../server/app/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { agentFiles } from "../helpers/agent.ts";
import { MARKUP } from "../helpers/console-agent.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { openServiceFor } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const toCaller = (tenant: string, actor: string, ...scopes: string[]): Caller => ({
  tenant,
  actor,
  roles: [],
  scopes: new Set(["versions:read", ...scopes]),
});
/** By what they send as `Authorization`. */
const CALLERS = {
  mia: toCaller("acme", "mia", "runner", "audit:read"),
  hostile: toCaller("acme", MARKUP, "runner"),
  uwe: toCaller("acme", "uwe", "runner"),
  eve: toCaller("other", "eve", "runner", "audit:read"),
};
/** Milliseconds until a checkpoint covers what was done. */
const COVERED = { timeout: 30_000 };

const shared = createShared();
let browser: Browser;
let service: Service;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const tools = { echo: { handler: "export default () => ({});\n" } };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools }));
  service = await openServiceFor(repository.path, CALLERS, shared.atEnd);
  browser = await openBrowser(shared.atEnd);
  await call("mia");
  await vi.waitFor(async () => expect(await readSize()).toBeGreaterThan(0), COVERED);
});
afterAll(shared.undoAll);

async function call(who: keyof typeof CALLERS): Promise<void> {
  const response = await fetch(`${service.url}/agent/1.0.0/api/tools/runner.echo`, {
    method: "POST",
    headers: { authorization: who, "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(200);
}

async function readSize(): Promise<number> {
  const response = await fetch(`${service.url}/audit/acme/checkpoint`, { headers: { authorization: "mia" } });
  return response.ok ? Number((await response.text()).split("\n")[1]) : 0;
}

const open = (who: string, path = "audit", options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${service.url}/console/${path}`, { extraHTTPHeaders: { authorization: who }, ...options });

/** Changes what the service answers at one address of the log, as one that lies would. */
async function forge(page: Page, part: string, change: (text: string) => string): Promise<void> {
  await page.route(
    (url) => url.pathname === `/audit/acme/${part}`,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: change(await response.text()) });
    },
  );
  await page.reload();
}

const wrong = (page: Page) => page.locator(".checks li", { hasText: "Does not fit" });

describe("the page of the audit", () => {
  test("checks signature, growth, entries and records in the browser, and searches by the keyboard alone", async () => {
    const { page, wrongs } = await open("mia");
    await page.getByText("This browser has seen no checkpoint").waitFor();
    const before = await readSize();
    for (let index = 0; index < 40; index++) await call("mia");
    await call("hostile");
    await expect.poll(readSize, COVERED).toBeGreaterThan(before);
    await page.reload();
    await page.locator(".checks li", { hasText: `begins with the ${before} entries` }).waitFor();
    await page.locator(".checks li", { hasText: "records have the SHA-256" }).waitFor();
    expect(await page.title()).toBe("Audit - Cairn");
    expect(await page.locator(".checks .badge").allInnerTexts()).toEqual(Array(4).fill("Checked"));
    const key = await fetch(`${service.url}/audit/acme/key`, { headers: { authorization: "mia" } });
    expect(await page.locator("dd").first().innerText()).toBe((await key.text()).trim());

    await page.getByLabel("Text in records").focus();
    await page.keyboard.type("onerror");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".card").count()).toBe(1);
    expect(page.url()).toBe(`${service.url}/console/audit?text=onerror`);
    expect(await page.locator(".card").innerText()).toContain(MARKUP);
    await page.locator(".card summary").press("Enter");
    await page.locator(".piece", { hasText: "inputDigest" }).waitFor();
    await takePicture(page, "console-audit");
    expect(wrongs).toEqual([]);
  });

  test("searches older entries until something is found, and says how far it has looked", async () => {
    const from = await readSize();
    await vi.waitFor(
      async () => {
        await call("mia");
        expect(await readSize()).toBeGreaterThan(from + 30);
      },
      { timeout: 60_000, interval: 1 },
    );
    const { page } = await open("mia", "audit?text=onerror");
    await page.locator(".card", { hasText: MARKUP }).waitFor();
    await page.goto(`${service.url}/console/audit?text=never+written`);
    await page.getByText("No such records, back to entry 0.", { exact: true }).waitFor();
    expect(await wrong(page).count()).toBe(0);
  });

  test("says what does not fit where the service shows another log than it signed", async () => {
    const { page } = await open("mia");
    await page.locator(".checks li", { hasText: "records have the SHA-256" }).waitFor();
    await forge(page, "records.jsonl", (text) => text.replace('"actor":"mia"', '"actor":"eve"'));
    await wrong(page).getByText("These are not the records that entries name").waitFor();
    expect(await wrong(page).count()).toBe(1);
    expect(await page.locator(".card .badge", { hasText: "Does not fit" }).count()).toBe(1);
    await page.unrouteAll();

    await forge(page, "entries.jsonl", (text) =>
      text.replace(/"([0-9a-f])([0-9a-f]{63})"},?/, (_, first, rest) => `"${first === "0" ? "1" : "0"}${rest}"}`),
    );
    await wrong(page).first().waitFor();
    expect(await wrong(page).count()).toBe(2);
    await page.unrouteAll();

    await forge(page, "inclusion", () => JSON.stringify({ size: 1, hashes: [] }));
    await wrong(page).getByText("is not in the signed tree").waitFor();
    await page.unrouteAll();

    await forge(page, "checkpoint", (text) => text.replace(/\n\d+\n/, "\n1000000\n"));
    await wrong(page).getByText("The checkpoint is not one that this key has signed").waitFor();
    expect(await page.locator(".card").count()).toBe(0);
    await page.unrouteAll();

    await page.route("**/audit/acme/checkpoint", (route) =>
      route.fulfill({ status: 404, json: { name: "NOT_FOUND", title: "Not found", status: 404, detail: "", code: 0 } }),
    );
    await page.reload();
    await wrong(page).getByText("The log no longer begins with").waitFor();
    await page.unrouteAll();

    await page.evaluate(
      `localStorage.setItem("cairn.audit.acme", localStorage.getItem("cairn.audit.acme").replace(/"root":"..../, '"root":"AAAA'))`,
    );
    await page.reload();
    await wrong(page).getByText("does not begin with").waitFor();
    await page.reload();
    await wrong(page).getByText("does not begin with").waitFor();
  });

  test("is for readers with the scope, and shows nothing of one tenant to another", async () => {
    const { page: user } = await open("uwe");
    await user.locator(".failure", { hasText: "INSUFFICIENT_SCOPE" }).waitFor();
    expect(await user.getByRole("navigation").getByRole("link", { name: "Audit" }).count()).toBe(0);
    const { page: stranger } = await open("eve");
    await stranger.locator(".failure, .checks").first().waitFor();
    expect(await stranger.locator("main").innerText()).not.toContain("mia");
  });

  test("claims nothing in a browser that cannot check", async () => {
    const { page } = await open("mia", "versions");
    await page.addInitScript(
      `crypto.subtle.importKey = () => Promise.reject(new DOMException("Not here.", "NotSupportedError"));`,
    );
    await page.goto(`${service.url}/console/audit`);
    await page.getByRole("alert").getByText("This browser cannot check here").waitFor();
    expect(await page.locator(".checks, .card").count()).toBe(0);
  });

  test.each(["light", "dark"] as const)("keeps nobody out in the %s theme, from 360 pixels on", async (colorScheme) => {
    const { page } = await open("mia", "audit", { colorScheme, viewport: { width: 360, height: 740 } });
    await page.locator(".card summary").first().click();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  });
});
