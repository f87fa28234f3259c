import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { DROP_MOOD } from "../fixtures/greeter.ts";
import { createApprovingAgent, PEOPLE } from "../helpers/approving-agent.ts";
import type { ArchitectService } from "../helpers/architect-service.ts";
import { MARKUP } from "../helpers/console-agent.ts";
import { openConsoleArchitect } from "../helpers/console-architect.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { openServiceFor, openTestService } from "../helpers/open-service.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const shared = createShared();
let browser: Browser;
let architect: ArchitectService;
let bank: Service;
let location = "";

beforeAll(async () => {
  architect = await openConsoleArchitect(shared.atEnd);
  bank = await openServiceFor((await createApprovingAgent(shared.atEnd)).path, PEOPLE, shared.atEnd);
  browser = await openBrowser(shared.atEnd);
  const sent = await architect.chat("mia", { message: DROP_MOOD }, { headers: { prefer: "respond-async" } });
  location = sent.headers.get("location") ?? "";
  await vi.waitFor(async () => expect((await architect.get("mia", location)).body.status).toBe("waiting"), {
    timeout: 30_000,
  });
});
afterAll(shared.undoAll);

const open = (url: string, who: string, options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${url}/console/approvals`, { extraHTTPHeaders: { authorization: who }, ...options });

async function transfer(who: keyof typeof PEOPLE, to: string): Promise<string> {
  const response = await fetch(`${bank.url}/agent/1.0.0/api/tools/bank.transfer`, {
    method: "POST",
    headers: { authorization: who, "content-type": "application/json" },
    body: JSON.stringify({ amount: 5000, to }),
  });
  expect(response.status).toBe(202);
  return response.headers.get("location") ?? "";
}

async function statusOf(path: string): Promise<unknown> {
  const response = await fetch(bank.url + path, { headers: { authorization: "ann" } });
  return ((await response.json()) as { readonly status: unknown }).status;
}

describe("the page of approvals", () => {
  test.each(["light", "dark"] as const)("keeps nobody out in the %s theme, from 360 pixels on", async (colorScheme) => {
    const size = { colorScheme, viewport: { width: 360, height: 740 } };
    const { page } = await open(architect.service.url, "pat", size);
    await page.locator(".diff").first().waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  });

  test("shows what waits to who may see it, and takes a word only from who may give one", async () => {
    const { page: watcher } = await open(architect.service.url, "wim");
    await watcher.getByText("To decide takes the tool").waitFor();
    await watcher.getByText("Why it waits").waitFor();
    expect(await watcher.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);

    const { page: user } = await open(architect.service.url, "uwe");
    await user.getByText("You may use no tool of version 1.0.0 that reads tasks.").waitFor();
    expect(await user.locator("main").innerText()).not.toContain("mood");

    const { page: stranger } = await open(architect.service.url, "eve");
    await stranger.getByText("Nothing waits for an approval.").waitFor();
    expect(await stranger.locator("main").innerText()).not.toContain("mood");
  });

  test("shows why the service refuses who asked for the change", async () => {
    const { page } = await open(architect.service.url, "mia");
    await page.getByLabel("Why").fill("I want it.");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await page.locator(".failure", { hasText: "FORBIDDEN" }).waitFor();
  });

  test("has a change approved by the keyboard alone, with a reason and a confirmation", async () => {
    const { page, wrongs } = await open(architect.service.url, "pat");
    const reason = page.getByLabel("Why");
    await reason.waitFor();
    expect(await page.getByRole("button", { name: "Approve", exact: true }).isDisabled()).toBe(true);
    await page.locator(".diff").waitFor();
    await takePicture(page, "console-approvals");
    await reason.focus();
    await page.keyboard.type("Nobody uses it.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain("It goes on, and your name and reason stand in its record.");
    expect(await findAccessProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText("Nothing waits for an approval.").waitFor();
    expect(await page.locator(".done").innerText()).toContain("approved");
    await vi.waitFor(
      async () => {
        const { body } = await architect.get("mia", location);
        expect(body.answer).toMatchObject({ result: "committed", new_version: "2.0.0" });
      },
      { timeout: 30_000 },
    );
    expect(wrongs).toEqual([]);
  });

  test("records the name that its reader has just given, where nobody needs a token, and keeps the reason", async () => {
    const { path } = await createApprovingAgent(shared.atEnd);
    const { PATH, HOME } = process.env;
    const environment = { PATH, HOME, PORT: "0", CAIRN_REPO: path, CAIRN_DATA: await temporaryFolder(shared.atEnd) };
    const { url } = await openTestService(environment, path, { atEnd: shared.atEnd });
    const asked = await fetch(`${url}/agent/1.0.0/api/tools/bank.transfer`, {
      method: "POST",
      headers: { "content-type": "application/json", "cairn-person": "ann" },
      body: JSON.stringify({ amount: 5000 }),
    });
    expect(asked.status).toBe(202);
    const { page } = await openPage(browser, `${url}/console/approvals`);
    await page.getByLabel("Why").fill("It is due.");
    await page.getByRole("textbox", { name: "Your name" }).fill("grace");
    await page.getByRole("button", { name: "Reject", exact: true }).click();
    const [request] = await Promise.all([
      page.waitForRequest(/approval_write$/),
      page.getByRole("dialog").getByRole("button", { name: "Reject" }).click(),
    ]);
    expect(request.postDataJSON()).toMatchObject({ approver: "grace", reason: "It is due." });
  });

  test("shows the content of calls that wait as text, and has one approved and another rejected", async () => {
    const [first, second] = [await transfer("ann", MARKUP), await transfer("ann", "carol")];
    const { page: other } = await open(bank.url, "operator");
    await other.getByText("for its caller and for those who decide").first().waitFor();
    const said = await fetch(`${bank.url}/calls?tool=artifact_read`, { headers: { authorization: "ann" } });
    expect(await said.json()).toMatchObject({ calls: [] });
    const { page, wrongs } = await open(bank.url, "tom");
    const card = page.locator(".card", { hasText: "carol" });
    await card.getByText("Who has the role treasurer").waitFor();
    expect(await page.locator(".card", { hasText: "onerror" }).innerText()).toContain('"amount": 5000');
    expect(await page.title()).toBe("Approvals - Cairn");
    expect(await findAccessProblems(page)).toEqual([]);
    await card.getByLabel("Why").fill("Not to her.");
    await card.getByRole("button", { name: "Reject", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reject", exact: true }).click();
    await card.waitFor({ state: "detached" });
    expect(await page.evaluate<string>("document.activeElement.innerText")).toMatch(/: rejected$/);
    expect(await statusOf(second)).toBe("rejected");

    await page.getByLabel("Why").fill("It is due.");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("Nothing waits for an approval.").waitFor();
    await vi.waitFor(async () => expect(await statusOf(first)).toBe("completed"), { timeout: 20_000 });
    expect(wrongs).toEqual([]);
  });
});
