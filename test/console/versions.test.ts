import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { agentFiles } from "../helpers/agent.ts";
import { createConsoleRepository, MARKUP } from "../helpers/console-agent.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { openTestService } from "../helpers/open-service.ts";
import { openRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const shared = createShared();
let browser: Browser;
let url: string;
let repository: string;
let service: Service;
let environment: Record<string, string | undefined>;

beforeAll(async () => {
  repository = await createConsoleRepository(shared.atEnd);
  environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: repository,
    CAIRN_DATA: await temporaryFolder(shared.atEnd),
  };
  service = await openTestService(environment, repository, { atEnd: shared.atEnd });
  url = service.url;
  browser = await openBrowser(shared.atEnd);
});
afterAll(shared.undoAll);

describe("the page of all versions", () => {
  test("shows what there is, why one is quarantined, and what others wrote as text", async () => {
    const { page, wrongs } = await openPage(browser, `${url}/`);
    await page.getByText("5 of 5 versions").waitFor();
    await page.locator(".problems").waitFor();
    expect(page.url()).toBe(`${url}/console/versions`);
    expect(await page.title()).toBe("Versions - Cairn");
    expect(await page.locator(".version h2 > a").allInnerTexts()).toEqual([
      "1.3.0",
      "1.2.0",
      "1.1.0",
      "1.0.1",
      "1.0.0",
    ]);

    const broken = page.locator(".version").first();
    await expect.poll(() => broken.innerText()).toContain("Why it is not served");
    expect(await broken.innerText()).toContain("versions.yaml:1:");
    expect(await broken.innerText()).toContain("Fix:");
    expect(await page.locator(".version", { hasText: "stable" }).innerText()).toContain("1.1.0");

    const hostile = page.locator(".version").nth(1);
    expect(await hostile.getByText(MARKUP).count()).toBe(1);
    expect(await hostile.locator(".hidden-character").allInnerTexts()).toEqual(["U+202E", "U+202C"]);
    await takePicture(page, "console");
    expect(wrongs).toEqual([]);
  });

  test("warns of a label of the default branch that leads nowhere", async () => {
    const { page, wrongs } = await openPage(browser, `${url}/console/versions`);
    await page.getByText("5 of 5 versions").waitFor();
    expect(await page.locator(".notice").count()).toBe(0);
    const origin = openRepository(repository);
    const versions = await origin.git("show", "HEAD:versions.yaml");
    await origin.commit({ "versions.yaml": `${versions}\n`.replace(/^labels:\n/m, "labels:\n  later: 9.9.9\n") });
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByText("5 of 5 versions").waitFor();
          return page.locator(".notice").allInnerTexts();
        },
        { timeout: 20_000 },
      )
      .toEqual([expect.stringMatching(/versions\.yaml:\d+:\d+: .*9\.9\.9/)]);
    expect(wrongs).toEqual([]);
  });

  test("says who still calls each version", async () => {
    const call = (actor: string, version: string) =>
      fetch(`${url}/agent/${version}/api/tools/runner.echo`, {
        method: "POST",
        headers: { "content-type": "application/json", "cairn-person": actor },
        body: "{}",
      });
    for (const actor of ["shop", "desk"]) expect((await call(actor, "1.0.0")).status).toBe(200);
    const { page } = await openPage(browser, `${url}/console/versions`);
    const old = page.locator(".version", { has: page.getByRole("link", { name: "1.0.0", exact: true }) });
    await old.getByText("Called by desk, shop, last at").waitFor();
    const unused = page.locator(".version", { has: page.getByRole("link", { name: "1.0.1", exact: true }) });
    expect(await unused.innerText()).toContain("Nobody of your tenant has called it in the last 30 days.");
  });

  test("says of a version whose service has ended that it is retired, where it is tried and told about, too", async () => {
    const { page } = await openPage(browser, `${url}/console/settings`);
    const deprecated = { since: "2020-01-01", sunset: "2020-02-01", reason: "Too old.", retired: true };
    await page.route(/\/version-graph\?|\/versions\/1\.0\.1$/, async (route) => {
      if (route.request().resourceType() === "document") return route.continue();
      const response = await route.fetch();
      const { versions, ...json } = (await response.json()) as {
        readonly versions?: readonly { readonly tag?: string }[];
      };
      const retired = versions?.map((one) => (one.tag === "v1.0.1" ? { ...one, deprecated } : one));
      return route.fulfill({
        response,
        json: retired === undefined ? { ...json, deprecated } : { ...json, versions: retired },
      });
    });
    await page.goto(`${url}/console/versions`);
    const row = page.locator(".version", { has: page.getByRole("link", { name: "1.0.1", exact: true }) });
    await row.getByText("2020-01-01: Too old.").waitFor();
    expect((await row.locator(".badge").allInnerTexts())[0]).toBe("retired");
    expect(await row.getByText(/^(?:served|retired)$/).count()).toBe(1);
    for (const path of ["versions/1.0.1", "try/1.0.1/runner/runner.echo", "feedback?version=1.0.1"]) {
      await page.goto(`${url}/console/${path}`);
      await page.getByRole("heading", { name: "Its service has ended" }).waitFor();
      expect(await page.getByText("served", { exact: true }).count()).toBe(0);
    }
  });

  test("shows what is pushed while it is open, also while the service restarts", { timeout: 120_000 }, async () => {
    const { page } = await openPage(browser, `${url}/console/versions`);
    await page.getByText("5 of 5 versions").waitFor();
    const origin = openRepository(repository);
    const push = (version: string) =>
      origin.release(
        version,
        agentFiles({ version, parent: "1.2.0", tools: { echo: { handler: "export default (input) => input;\n" } } }),
      );
    await push("2.0.0");
    await page.getByRole("link", { name: "2.0.0", exact: true }).waitFor();
    await page.getByText("6 of 6 versions").waitFor();

    const { port } = new URL(url);
    await service.close();
    await page.getByText("The service does not answer.").waitFor();
    expect(await page.getByRole("link", { name: "2.0.0", exact: true }).count()).toBe(1);
    await push("3.0.0");
    service = await openTestService({ ...environment, PORT: port }, repository, { atEnd: shared.atEnd });
    await page.getByRole("link", { name: "3.0.0", exact: true }).waitFor();
    await page.getByText("The service does not answer.").waitFor({ state: "detached" });
  });

  test.each(["light", "dark"] as const)("keeps nobody out in the %s theme, from 360 pixels on", async (colorScheme) => {
    const { page } = await openPage(browser, `${url}/console/versions`, {
      colorScheme,
      viewport: { width: 360, height: 740 },
    });
    await page.locator(".problems").waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  });
});
