import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runInProcess } from "../helpers/cairn.ts";
import { findAccessProblems, openBrowser, openPage } from "../helpers/console-browser.ts";
import { openTestService } from "../helpers/open-service.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createToolsRepository } from "../helpers/tools-agent.ts";

/** The first call starts what runs handlers. */
const ANSWERED = { timeout: 20_000 };
const TRY = "/console/try/1.0.0/runner/runner.order";
const shared = createShared();
let browser: Browser;
let url: string;
let data: string;

beforeAll(async () => {
  const repository = await createToolsRepository(shared.atEnd);
  data = await temporaryFolder(shared.atEnd);
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: repository,
    CAIRN_DATA: data,
  };
  // With a token, callers need one.
  await createToken("acme", "grace");
  url = (await openTestService(environment, repository, { atEnd: shared.atEnd })).url;
  browser = await openBrowser(shared.atEnd);
});
afterAll(shared.undoAll);

async function createToken(tenant: string, actor: string): Promise<string> {
  const who = ["--tenant", tenant, "--actor", actor, "--scopes", "*", "--roles", "*"];
  return (await runInProcess(["token", "create", ...who, "--data", data])).stdout.trim();
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("API token").fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.locator(".reader").waitFor();
}

const readerOf = (page: Page) => page.locator(".reader").innerText();
const call = (page: Page) => page.getByRole("button", { name: "Call", exact: true }).click({ timeout: 5_000 });

/** Actors of the calls that a tenant has recorded. */
async function listActors(token: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/calls`, { headers: { authorization: `Bearer ${token}` } });
  const { calls } = (await response.json()) as { readonly calls: readonly { readonly actor: string }[] };
  return calls.map(({ actor }) => actor);
}

test("a tab that shows one reader does nothing as another, and begins anew as the one whom the browser has now", async () => {
  const [grace, mallory] = [await createToken("acme", "grace"), await createToken("other", "mallory")];
  const { page, wrongs } = await openPage(browser, `${url}${TRY}`);
  await signIn(page, grace);
  await page.getByLabel("article required").fill("secret lamp");
  await page.getByLabel("amount required").fill("2");
  // No page has said so, as when a notice is late.
  await page.context().addCookies([{ name: "cairn-console", value: mallory, url }]);
  const [refused] = await Promise.all([page.waitForResponse((one) => one.status() === 409), call(page)]);
  expect(new URL(refused.url()).pathname).toBe("/agent/1.0.0/runner");
  expect(await refused.json()).toMatchObject({ name: "READER_CHANGED", code: 2202 });
  await page.getByText("Another tab has signed this browser in as mallory, other.").waitFor();
  expect(await readerOf(page)).toContain("mallory, other");
  expect(await page.getByLabel("article required").inputValue()).toBe("");
  expect(await page.content()).not.toContain("secret lamp");
  expect(await findAccessProblems(page)).toEqual([]);
  expect(await listActors(mallory)).toEqual([]);
  expect(await listActors(grace)).toEqual([]);
  expect(wrongs).toEqual([]);
});

test("tabs notice at once that another one signs out or in, and go on by themselves at the page where they are", async () => {
  const [grace, mallory] = [await createToken("acme", "grace"), await createToken("other", "mallory")];
  const { page, wrongs } = await openPage(browser, `${url}/console/calls`);
  const second = await page.context().newPage();
  await second.goto(`${url}/console/settings`);
  await second.getByLabel("API token").waitFor();
  await signIn(page, grace);
  await second.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  expect(await readerOf(second)).toContain("grace, acme");
  await page.getByRole("button", { name: "Sign out" }).click();
  await second.getByLabel("API token").waitFor();
  await signIn(page, mallory);
  await second.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  expect(await readerOf(second)).toContain("mallory, other");
  expect(wrongs).toEqual([]);
});

test("says why a page has ended, and keeps what was typed for who signs in again, until they sign out", async () => {
  const first = await createToken("acme", "grace");
  const { page, wrongs } = await openPage(browser, `${url}${TRY}`);
  await signIn(page, first);
  await page.getByLabel("article required").fill("lamp");
  await page.getByLabel("amount required").fill("2");
  await runInProcess(["token", "revoke", first, "--data", data]);
  await expect
    .poll(async () => {
      if (await page.getByText("Your session has ended, or its token was revoked.").isVisible()) return true;
      await call(page).catch(() => undefined);
      return false;
    }, ANSWERED)
    .toBe(true);
  expect(await findAccessProblems(page)).toEqual([]);
  await page.reload();
  await page.getByText("Your session has ended, or its token was revoked.").waitFor();
  await signIn(page, await createToken("acme", "grace"));
  await expect.poll(() => page.getByLabel("article required").inputValue()).toBe("lamp");
  expect(await page.getByLabel("amount required").inputValue()).toBe("2");

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API token").waitFor();
  expect(await page.getByText("Your session has ended").count()).toBe(0);
  expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")).not.toContain("lamp");
  expect(wrongs).toEqual([]);
});
