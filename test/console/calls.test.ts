import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { agentFiles } from "../helpers/agent.ts";
import { MARKUP } from "../helpers/console-agent.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { openServiceFor } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { TONES } from "../helpers/tuned-service.ts";

const SAY = `export default ({ text, fail }, ctx) => {
  ctx.log.info(text);
  if (fail) throw ctx.fail("NOT_FOUND", "Nobody is called " + text + ".");
  return {};
};
`;
const toCaller = (tenant: string, actor: string, ...roles: string[]): Caller => ({
  tenant,
  actor,
  roles,
  scopes: new Set(["versions:read", "runner"]),
});
/** By what they send as `Authorization`. */
const CALLERS = {
  ada: toCaller("acme", "ada", "user"),
  /** Reads all calls of the tenant. */
  mia: { ...toCaller("acme", "mia"), scopes: new Set(["versions:read", "audit:read"]) },
  /** May use no tool. */
  uwe: toCaller("acme", "uwe"),
  eve: toCaller("other", "eve", "user"),
};

const shared = createShared();
let browser: Browser;
let service: Service;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const manifest = "parameters: [tone]\nrequiredCapabilities: [tool:runner.say]";
  const files = {
    "manifests/policies/access.yaml": "roles: { user: [tool:runner.say] }\n",
    "manifests/parameters/tone.yaml": `description: The tone.\n${TONES}`,
  };
  await repository.release(
    "1.0.0",
    agentFiles({ version: "1.0.0", tools: { say: { handler: SAY, manifest } }, files }),
  );
  service = await openServiceFor(repository.path, CALLERS, shared.atEnd);
  browser = await openBrowser(shared.atEnd);
  await call("ada", { text: "good day" });
  await call("ada", { text: MARKUP, fail: true });
  await call("eve", { text: "a secret of others" });
  await call("ada", { text: "many" });
});
afterAll(shared.undoAll);

async function call(who: keyof typeof CALLERS, input: object): Promise<void> {
  await fetch(`${service.url}/agent/1.0.0/api/tools/runner.say`, {
    method: "POST",
    headers: { authorization: who, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
}

const open = (who: keyof typeof CALLERS, path = "calls", options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${service.url}/console/${path}`, { extraHTTPHeaders: { authorization: who }, ...options });

describe("the pages of calls", () => {
  test("search by the keyboard alone, name the search in the address, and show texts as text", async () => {
    const { page, wrongs } = await open("ada");
    await page.locator(".card").first().waitFor();
    await page.getByLabel("Outcome", { exact: true }).focus();
    await page.keyboard.type("failed");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".card").count()).toBe(1);
    expect(page.url()).toBe(`${service.url}/console/calls?outcome=failed`);
    const card = page.locator(".card");
    expect(await card.innerText()).toContain(`Nobody is called ${MARKUP}.`);
    expect(await card.locator("h2 .badge").innerText()).toBe("failed: NOT_FOUND");
    const colour = (kind: string) =>
      page.evaluate<string>(`(() => {
        const badge = document.querySelector("h2 .badge");
        badge.dataset.kind = "${kind}";
        return getComputedStyle(badge).color;
      })()`);
    expect(await colour("call-failed")).not.toBe(await colour("other"));
    expect(await page.locator(".commands pre").innerText()).toMatch(/'\/calls\?outcome=failed'$/);
    expect(await page.title()).toBe("Calls - Cairn");
    await takePicture(page, "console-calls");

    await card.getByRole("link", { name: "Transcript" }).press("Enter");
    await page.getByText("Ran with").waitFor();
    expect(page.url()).toMatch(/\/console\/calls\/[0-9a-f-]{36}$/);
    await takePicture(page, "console-conversation");
    expect(await page.locator(".card .fact").innerText()).toMatch(/tone\s+\{"tone":"\w+"\}/);
    expect(await page.locator(".card").innerText()).toContain(MARKUP);
    expect(await page.title()).toBe(`${page.url().split("/").at(-1)} - Conversation - Cairn`);
    expect(wrongs).toEqual([]);
  });

  test("show new calls with their logs as they come, while the reader wants that", async () => {
    const { page, wrongs } = await open("ada", "calls?text=just");
    await page.getByText("No such calls that you may see").waitFor();
    await page.getByLabel("Show new calls and their logs as they come").check();
    expect(page.url()).toBe(`${service.url}/console/calls?text=just&live=true`);
    await call("ada", { text: "just now" });
    await page.locator(".card", { hasText: "just now" }).waitFor();
    await call("ada", { text: "just after" });
    await expect.poll(() => page.locator(".card h2").count(), { timeout: 10_000 }).toBe(2);
    expect(await page.locator(".card").first().innerText()).toContain("info just after");
    await page.getByLabel("Show new calls and their logs as they come").uncheck();
    await call("ada", { text: "just unseen" });
    await page.reload();
    await page.locator(".card", { hasText: "just unseen" }).waitFor();
    expect(wrongs).toEqual([]);
  });

  test("say in the words of the service what is wrong with a search", async () => {
    const { page } = await open("ada", "calls?since=yesterday");
    await page.locator(".failure", { hasText: "BAD_REQUEST" }).waitFor();
    expect(await page.locator(".failure").innerText()).toContain("since");
    await page.getByLabel("Since (UTC)").fill("2020-11-28T09:44");
    await page.getByLabel("Until (UTC)").fill("2120-11-28");
    await page.keyboard.press("Enter");
    await page.locator(".card", { hasText: "good day" }).waitFor();
    expect(await page.locator(".commands pre").innerText()).toContain("since=2020-11-28T09%3A44%3A00Z");
    await page.getByLabel("Outcome", { exact: true }).fill("bad");
    await page.keyboard.press("Enter");
    await page.locator(".failure", { hasText: "must be ok, failed, or the name of an error: " }).waitFor();
  });

  test("show each reader their own part, and nothing of another tenant", async () => {
    const { page: auditor } = await open("mia", "calls?text=good+day");
    await auditor.locator(".card", { hasText: "ada" }).waitFor();
    const href = (await auditor.getByRole("link", { name: "Transcript" }).getAttribute("href")) ?? "";

    const { page: user } = await open("uwe");
    await user.getByText("No such calls that you may see").waitFor();
    const { page: stranger } = await open("eve");
    await stranger.getByText("a secret of others").waitFor();
    expect(await stranger.locator(".card").count()).toBe(1);
    for (const page of [user, stranger]) {
      await page.goto(service.url + href);
      await page.locator(".failure", { hasText: "NOT_FOUND" }).waitFor();
      expect(await page.locator("main").innerText()).not.toContain("good day");
    }
  });

  test.each(["light", "dark"] as const)("keep nobody out in the %s theme, from 360 pixels on", async (colorScheme) => {
    const size = { colorScheme, viewport: { width: 360, height: 740 } };
    const { page } = await open("ada", "calls?outcome=failed", size);
    await page.locator(".card").waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
    await page.getByRole("link", { name: "Transcript" }).click();
    await page.getByText("Ran with").waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  });
});
