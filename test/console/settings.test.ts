import { randomBytes } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { createApiToken } from "../../server/auth/api-token.ts";
import { saveApiToken } from "../../server/auth/api-tokens.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { toDataPaths } from "../../server/config/data-folder.ts";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import { agentFiles } from "../helpers/agent.ts";
import { MARKUP } from "../helpers/console-agent.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { authenticateAs, openTestService } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const toCaller = (actor: string, role: string, ...scopes: string[]): Caller => ({
  tenant: "acme",
  actor,
  roles: [role],
  scopes: new Set(["versions:read", ...scopes]),
});
/** By what they send as `Authorization`. */
const CALLERS = {
  mia: toCaller("mia", "maintainer", "runner", "secrets", "metrics:read"),
  hostile: toCaller(MARKUP, "user"),
};

const POLICY = `roles: { maintainer: ["tool:*"] }
limits: { tenant: { rate: 600 }, actor: { rate: 60, dailyCost: 1000 } }
`;

/** Keeps a token of somebody, as `cairn token create` does. */
async function addToken(data: string, name: string, tenant: string, actor: string): Promise<void> {
  const store = await openLmdbStore({ directory: toDataPaths(data).store, now: Date.now });
  const grant = { name, tenant, actor, roles: ["maintainer"], scopes: ["runner"] };
  const { record } = createApiToken(grant, randomBytes, Date.now());
  await saveApiToken(store, record, () => ({ set: [], append: [] }));
  await store.admin.close();
}

const shared = createShared();
let browser: Browser;
let service: Service;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const tools = {
    echo: { handler: "export default () => ({});\n" },
    more: { handler: "export default () => ({});\n" },
  };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { echo: tools.echo } }));
  await repository.release(
    "1.1.0",
    agentFiles({ version: "1.1.0", parent: "1.0.0", tools, files: { "manifests/policies/access.yaml": POLICY } }),
  );
  const data = await temporaryFolder(shared.atEnd);
  await addToken(data, "of the build", "acme", "mia");
  await addToken(data, "of a neighbour", "acme", "ned");
  await addToken(data, "of another tenant", "other", "mia");
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: repository.path,
    CAIRN_DATA: data,
    CAIRN_SECRETS_KEY: "env:KEY",
    KEY: randomBytes(32).toString("base64"),
  };
  const options = { authenticate: authenticateAs(CALLERS), atEnd: shared.atEnd };
  service = await openTestService(environment, repository.path, options);
  browser = await openBrowser(shared.atEnd);
  const set = await fetch(`${service.url}/secrets/GITHUB`, {
    method: "PUT",
    headers: { authorization: "mia", "content-type": "application/json" },
    body: JSON.stringify({ value: "a-value-that-stays-here" }),
  });
  expect(set.status).toBe(200);
});
afterAll(shared.undoAll);

const open = (who: keyof typeof CALLERS, options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${service.url}/console/settings`, { extraHTTPHeaders: { authorization: who }, ...options });

describe("the page of settings", () => {
  test("shows who the reader is, their rights in a version, their secrets by name, and the health of the service", async () => {
    const { page, wrongs } = await open("mia");
    await page.locator("dd", { hasText: "runner.echo, runner.more" }).waitFor();
    await page.locator(".fact", { hasText: "disk:free" }).waitFor();
    await page.getByText("GITHUB").waitFor();
    const text = await page.locator("main").innerText();
    for (const part of ["mia", "acme", "maintainer", "metrics:read, runner, secrets, versions:read", "cairn token"]) {
      expect(text).toContain(part);
    }
    await page.getByRole("heading", { name: "Repository" }).waitFor();
    expect(await page.locator("section", { hasText: "times since the start" }).innerText()).toContain(
      "2 served, 0 quarantined, 0 not looked at yet, 0 pull requests",
    );
    const limits = page.getByRole("table");
    await limits.waitFor();
    expect(await limits.getByRole("row").allInnerTexts()).toEqual([
      "Of\tCalls a minute\tCalls at once\tCost of today (UTC)",
      "Your tenant\t600 of 600 left\tunlimited\tunlimited",
      "You\t60 of 60 left\tunlimited\t0 of 1,000",
    ]);
    await page.getByText("of the build").waitFor();
    expect(await page.getByText("of a neighbour").count()).toBe(0);
    expect(await page.getByText("of another tenant").count()).toBe(0);
    await takePicture(page, "console-settings");
    expect(text).toMatch(/repository:age\s+pass\s+\d+/);
    expect(text).not.toContain("a-value-that-stays-here");
    expect(await page.title()).toBe("Settings - Cairn");

    await page.getByLabel("Version", { exact: true }).fill("1.0.0");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What you may do in 1.0.0" }).waitFor();
    await expect.poll(() => page.getByText("runner.more").count()).toBe(0);
    expect(page.url()).toBe(`${service.url}/console/settings?version=1.0.0`);
    expect(wrongs).toEqual([]);
  });

  test("shows others less, and a service that cannot answer calls", async () => {
    const { page } = await open("hostile");
    await page.locator("dd", { hasText: MARKUP }).waitFor();
    await page.locator(".fact", { hasText: "disk:free" }).waitFor();
    expect(await page.locator(".fact", { hasText: "repository:age" }).innerText()).toMatch(/^repository:age\s+pass$/);
    expect(await page.getByRole("heading", { name: "Your secrets" }).count()).toBe(0);
    expect(await page.getByRole("heading", { name: "Repository" }).count()).toBe(0);
    await page.getByText("There are none. Tokens are made").waitFor();
    const down = { status: "fail", time: "2026-01-01T00:00:00Z", checks: { "store:trial": { status: "fail" } } };
    await page.route("**/readyz", (route) => route.fulfill({ status: 503, json: down }));
    await page.reload();
    expect(await page.locator(".fact", { hasText: "store:trial" }).innerText()).toMatch(/^store:trial\s+fail$/);
  });

  test("comes by itself where it is first opened while the service is away, or when its reader tries again", async () => {
    const { page } = await open("mia");
    const to = (name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.context().setOffline(true);
    await to("Compare");
    await page.getByText("The service does not answer.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Compare" }).waitFor();
    await page.getByText("The service does not answer.").waitFor({ state: "detached" });

    await page.route(/\/assets\/calls-page/, (route) => route.abort());
    await to("Calls");
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unrouteAll();
    await again.click();
    await page.getByRole("heading", { name: "Calls" }).waitFor();
  });

  test.each(["light", "dark"] as const)("keeps nobody out in the %s theme, from 360 pixels on", async (colorScheme) => {
    const { page } = await open("mia", { colorScheme, viewport: { width: 360, height: 740 } });
    await page.locator(".fact", { hasText: "disk:free" }).waitFor();
    await page.getByText("GITHUB").waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  });
});
