import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createConsoleRepository } from "../helpers/console-agent.ts";
import { findAccessProblems, openBrowser, openPage } from "../helpers/console-browser.ts";
import { runInProcess } from "../helpers/cairn.ts";
import { openTestService } from "../helpers/open-service.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const shared = createShared();
let browser: Browser;
let url: string;
let token: string;

beforeAll(async () => {
  const [repository, data] = [await createConsoleRepository(shared.atEnd), await temporaryFolder(shared.atEnd)];
  const args = ["--tenant", "acme", "--actor", "grace", "--scopes", "versions:read", "--data", data];
  token = (await runInProcess(["token", "create", ...args])).stdout.trim();
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: repository,
    CAIRN_DATA: data,
  };
  url = (await openTestService(environment, repository, { atEnd: shared.atEnd })).url;
  browser = await openBrowser(shared.atEnd);
});
afterAll(shared.undoAll);

test("a reader signs in with a token by the keyboard alone, stays so at other addresses, and signs out", async () => {
  const { page, wrongs } = await openPage(browser, `${url}/console/versions?all=false`, { colorScheme: "dark" });
  const field = page.getByLabel("API token");
  await field.waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await page.keyboard.type("cairn_wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").innerText()).toContain("UNAUTHENTICATED");

  await field.fill(token);
  await page.keyboard.press("Enter");
  await page.getByText("4 of 5 versions").waitFor();
  expect(await page.locator(".reader").innerText()).toContain("grace, acme");
  expect(await page.evaluate<string>("document.cookie")).toBe("");
  expect(await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(
    token,
  );

  await page.goto(`${url}/console/versions`);
  await page.getByText("5 of 5 versions").waitFor();
  await page.getByRole("button", { name: "Sign out" }).press("Enter");
  await field.waitFor();
  expect(await page.context().cookies()).toEqual([]);
  expect(wrongs).toEqual([]);
});
