import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toDataPaths } from "../../server/config/data-folder.ts";
import { keepReplays } from "../../server/examples/keep-replays.ts";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import { MARKUP } from "../helpers/console-agent.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { openTestService } from "../helpers/open-service.ts";
import { openRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createToolsRepository } from "../helpers/tools-agent.ts";

const shared = createShared();
let browser: Browser;
let url: string;
let repository: string;

/** Keeps what a replay of a recorded call came to, as `cairn replay` does. */
async function addReplay(data: string): Promise<void> {
  const git = openRepository(repository);
  const [from, to] = [await git.git("rev-parse", "v1.0.0"), await git.git("rev-parse", "v2.0.0")];
  const store = await openLmdbStore({ directory: toDataPaths(data).store, now: Date.now });
  const reasons = [`/ordered/amount: expected 9, got 5 ${MARKUP}`];
  const about = { schemaVersion: 1, tool: "runner.order", capabilities: [], at: Date.now() } as const;
  await keepReplays(store, "local", to, [
    { from, id: "call-1", record: { ...about, outcome: "different", reasons }, ttl: 3_600_000 },
    { from, id: "call-2", record: { ...about, outcome: "same", reasons: [] }, ttl: 3_600_000 },
  ]);
  await store.admin.close();
}

beforeAll(async () => {
  repository = await createToolsRepository(shared.atEnd);
  const data = await temporaryFolder(shared.atEnd);
  await addReplay(data);
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: repository,
    CAIRN_DATA: data,
  };
  url = (await openTestService(environment, repository, { atEnd: shared.atEnd })).url;
  const headers = { "content-type": "application/json", "user-agent": "old-agent/1" };
  const call = (tool: string, body: object) =>
    fetch(`${url}/agent/1.0.0/api/tools/${tool}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect((await call("runner.order", { article: "lamp", amount: 9 })).status).toBe(200);
  expect((await call("runner.plain", {})).status).toBe(200);
  browser = await openBrowser(shared.atEnd);
});
afterAll(shared.undoAll);

test("two versions are compared: findings with an example, the bump, both definitions, and who is affected", async () => {
  const { page, wrongs } = await openPage(browser, `${url}/console/compare`);
  await page.getByRole("combobox", { name: "From" }).fill("1.0.0");
  await page.getByRole("combobox", { name: "To" }).fill("2.0.0");
  await page.getByRole("combobox", { name: "To" }).press("Enter");
  await page.getByRole("heading", { name: "This change needs a bump: major" }).waitFor();
  expect(page.url()).toBe(`${url}/console/compare?from=1.0.0&to=2.0.0`);
  expect(await page.getByText("The numbers say enough.").count()).toBe(1);
  const claim = page.getByRole("row", { name: "runner.order 1.0.0 - 2.0.0" });
  expect(await claim.getByRole("cell").allInnerTexts()).toEqual(["major", "major", "2.0.0", "enough"]);

  const order = page.locator("section", { has: page.getByRole("heading", { name: "runner.order" }) });
  const finding = order.locator(".findings li").first();
  expect(await finding.innerText()).toContain("major");
  expect(await finding.innerText()).toContain("manifests/runner/order.yaml:");
  const example = JSON.parse(await finding.locator("pre").first().innerText()) as { readonly amount: number };
  expect(example.amount).toBeGreaterThan(5);

  const affected = page.getByRole("table", { name: /used in 1.0.0 what breaks/ });
  await affected.waitFor();
  expect(await affected.getByRole("row").count()).toBe(2);
  expect(await affected.innerText()).toContain("old-agent/1");

  await takePicture(page, "console-compare");
  await page.getByText("1 recorded calls came out otherwise, 1 alike, and 0 could not be compared.").waitFor();
  const replayed = page.locator("section", { has: page.getByRole("heading", { name: "Recorded calls, replayed" }) });
  expect(await replayed.locator("li").count()).toBe(1);
  expect(await replayed.locator("li").innerText()).toContain(`expected 9, got 5 ${MARKUP}`);
  await order.getByText("Definitions of runner.order side by side").click();
  const changed = order.locator("td[data-sign='-'], td[data-sign='+']");
  await changed.first().waitFor();
  expect((await changed.allInnerTexts()).map((line) => line.trim().replaceAll(/\s+/g, " "))).toEqual([
    '- "version": "1.0.0",',
    '+ "version": "2.0.0",',
    '- "maximum": 9',
    '+ "maximum": 5',
  ]);
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await order.getByText("equal lines").count()).toBeGreaterThan(0);
  expect(wrongs).toEqual([]);
});

test("the head of a pull request is compared by its number, as it is at that moment", async () => {
  const git = openRepository(repository);
  const manifest = await git.git("show", "v2.0.0:manifests/runner/order.yaml");
  await git.git("checkout", "--quiet", "-b", "proposal", "v2.0.0");
  await git.commit({ "manifests/runner/order.yaml": `${manifest}\n`.replace("maximum: 5", "maximum: 4") });
  await git.git("update-ref", "refs/pull/12/head", "HEAD");
  await git.git("checkout", "--quiet", "main");
  await vi.waitFor(
    async () => {
      await fetch(`${url}/versions/refresh`, { method: "POST" });
      const { total } = (await (await fetch(`${url}/version-graph?pull_requests=true`)).json()) as { total: number };
      expect(total).toBe(1);
    },
    { timeout: 20_000 },
  );
  const { page } = await openPage(browser, `${url}/console/compare?from=2.0.0&to=pull-request-12`);
  await page.getByRole("heading", { name: "This change needs a bump: major" }).waitFor();
  expect(await page.locator("datalist option").allInnerTexts()).toContain("pull-request-12");
  expect(await page.locator(".findings").first().innerText()).toContain("manifests/runner/order.yaml:");
  await page.goto(`${url}/console/versions/pull-request-12`);
  await page.getByRole("heading", { name: "Version pull-request-12" }).waitFor();
  await page.getByText("runner.order").first().waitFor();
  await page.goto(`${url}/console/versions/pull-request-13`);
  await page.getByRole("alert").getByText("No open pull request is pull-request-13.").waitFor();
  await page.goto(`${url}/console/compare?from=2.0.0&to=pull-request-13`);
  await page.getByRole("alert").getByText("No open pull request is pull-request-13.").waitFor();
});

test("a version that is not there is refused, and one that is equal differs in nothing", async () => {
  const { page } = await openPage(browser, `${url}/console/compare?from=1.0.0&to=${encodeURIComponent(MARKUP)}`);
  await page.getByRole("alert").waitFor();
  await page.goto(`${url}/console/compare?from=1.0.0&to=1.0.0`);
  await page.getByRole("heading", { name: "Nothing that a caller can see differs." }).waitFor();
  expect(await page.title()).toBe("1.0.0 and 1.0.0 - Compare - Cairn");
});

test.each(["light", "dark"] as const)(
  "it keeps nobody out in the %s theme, from 360 pixels on",
  async (colorScheme) => {
    const { page } = await openPage(browser, `${url}/console/compare?from=1.0.0&to=2.0.0`, {
      colorScheme,
      viewport: { width: 360, height: 740 },
    });
    await page.getByText("Definitions of runner.order side by side").click();
    await page.locator("td[data-sign='+']").first().waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  },
);
