import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MARKUP } from "../helpers/console-agent.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { openTestService } from "../helpers/open-service.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createToolsRepository } from "../helpers/tools-agent.ts";

const shared = createShared();
let browser: Browser;
let url: string;

beforeAll(async () => {
  const repository = await createToolsRepository(shared.atEnd);
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: repository,
    CAIRN_DATA: await temporaryFolder(shared.atEnd),
  };
  url = (await openTestService(environment, repository, { atEnd: shared.atEnd })).url;
  browser = await openBrowser(shared.atEnd);
});
afterAll(shared.undoAll);

test("a version shows its end, its tools with their schemas, how to reach it, and who calls it", async () => {
  const called = await fetch(`${url}/agent/1.0.0/api/tools/runner.plain`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "old-agent/1" },
    body: "{}",
  });
  expect(called.status).toBe(200);
  const { page, wrongs } = await openPage(browser, `${url}/console/versions/1.0.0`);
  const end = page.locator(".notice", { hasText: "Deprecated since 2026-01-01" });
  await end.waitFor();
  expect(await end.getByText(MARKUP).count()).toBe(1);
  expect(await end.getByRole("link").getAttribute("href")).toBe("/console/versions/2.0.0");
  await page.getByRole("row", { name: "old-agent/1" }).waitFor();

  await page.getByRole("button", { name: "Order (runner.order)" }).press("Enter");
  expect(page.url()).toBe(`${url}/console/versions/1.0.0?tool=runner.order`);
  const inputs = page.getByRole("table", { name: "Members of Input" });
  expect(await inputs.getByRole("rowheader").allInnerTexts()).toEqual([
    "article required",
    "amount required",
    "wrapped",
    "speed",
    "region",
    "to",
    "to.street required",
    "to.code",
    "notes",
    "code",
    "extra",
    "extra (2)",
    "extra (2).gift required",
  ]);
  const rows = await inputs.getByRole("row").allInnerTexts();
  await takePicture(page, "console-version");
  expect(rows[1]).toContain(MARKUP);
  expect(rows[2]).toContain("integer\nat least 1\nat most 9");
  expect(rows[4]).toContain("slow, fast");
  expect(await page.getByRole("link", { name: "Try this example" }).getAttribute("href")).toBe(
    "/console/try/1.0.0/runner/runner.order?example=0",
  );

  await page.getByText("Connect: runner").click();
  expect(await page.getByRole("link", { name: "Add to cursor" }).first().getAttribute("href")).toMatch(
    /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/,
  );
  expect(await page.getByText(`${url}/agent/1.0.0/runner`, { exact: true }).count()).toBe(1);
  expect(await page.getByText("Greets someone.").count()).toBe(1);
  expect(await page.getByText("session://{conversation_id}").count()).toBe(1);
  expect(await page.getByRole("heading", { name: "Prompts" }).count()).toBe(2);
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await page.title()).toBe("1.0.0 - Version - Cairn");
  expect(wrongs).toEqual([]);
});

test("an unknown version is refused with what would be right", async () => {
  const { page } = await openPage(browser, `${url}/console/versions/9.9.9`);
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.innerText()).toContain("VERSION_NOT_FOUND 4001");
  await page.goto(`${url}/console/versions/${encodeURIComponent("1`x`")}`);
  await page.getByText("cairn usage '1`x`'", { exact: true }).waitFor();
});

test.each(["light", "dark"] as const)(
  "it keeps nobody out in the %s theme, from 360 pixels on",
  async (colorScheme) => {
    const { page } = await openPage(browser, `${url}/console/versions/1.0.0?tool=runner.order`, {
      colorScheme,
      viewport: { width: 360, height: 740 },
    });
    await page.getByRole("table", { name: "Members of Input" }).waitFor();
    await page.getByText("Greets someone.").waitFor();
    await page.getByText("Connect: runner").click();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  },
);
