import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MARKUP } from "../helpers/console-agent.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { openTestService } from "../helpers/open-service.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createToolsRepository } from "../helpers/tools-agent.ts";

/** The first call starts what runs handlers. */
const ANSWERED = { timeout: 20_000 };
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

const open = (tool: string, query = "") => openPage(browser, `${url}/console/try/1.0.0/runner/${tool}${query}`);

/** The JSON that the page shows as the answer of the last call. */
async function readAnswer(page: Page): Promise<unknown> {
  const section = page.locator("section", { has: page.getByRole("heading", { name: "What it answered" }) });
  return JSON.parse(await section.locator("pre").first().innerText()) as unknown;
}

/** What has the focus: its id, or else its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.id || document.activeElement.innerText");
}

test("a form made of the schema calls the tool, and shows the answer and the same call as commands", async () => {
  const { page, wrongs } = await open("runner.order");
  await page.getByLabel("article required").fill("lamp");
  await page.getByLabel("amount required").fill("2");
  await page.getByLabel("speed").selectOption("fast");
  // Repeated as a header, which must be encoded.
  await page.getByLabel("region").fill("Île");
  await page.getByRole("button", { name: "Give to" }).press("Enter");
  await page.getByLabel("street required").fill("Main Street");
  await page.getByRole("button", { name: "Add to notes" }).press("Enter");
  await page.getByLabel("notes, item 1").fill("it's fragile");
  await page.getByLabel("extra").fill('{ "gift": ');
  await page.getByRole("button", { name: "Call", exact: true }).press("Enter");
  expect(await page.getByText("This is no JSON. A text stands in quotes").count()).toBe(1);
  const hint = (await page.getByLabel("extra").getAttribute("aria-describedby")) ?? "";
  expect(await page.locator(`[id="${hint}"]`).innerText()).toMatch(/^Written as JSON/);
  await page.getByLabel("extra").fill('{ "gift": "card" }');
  await page.getByLabel("article required").press("Enter");
  const input = {
    wrapped: false,
    article: "lamp",
    amount: 2,
    speed: "fast",
    region: "Île",
    to: { street: "Main Street" },
    notes: ["it's fragile"],
    extra: { gift: "card" },
  };
  await expect.poll(() => readAnswer(page), ANSWERED).toEqual({ ordered: input });

  const commands = await page.locator(".commands pre").allInnerTexts();
  const json = JSON.stringify(input).replace("'", String.raw`'\''`);
  expect(commands).toEqual([
    `cairn call 1.0.0 runner.order '${json}' --url '${url}'`,
    `curl '${url}/agent/1.0.0/api/tools/runner.order' -H 'content-type: application/json' -d '${json}'`,
  ]);
  const link = page.locator("main").getByRole("link", { name: /^[0-9a-f-]{36}$/ });
  expect(await link.getAttribute("href")).toBe(`/console/calls/${await link.innerText()}`);
  expect(await page.title()).toBe("runner.order - Try - Cairn");
  expect(await page.getByText("This tool has effects").count()).toBe(1);
  await page.getByRole("heading", { name: "Deprecated since 2026-01-01" }).waitFor();
  // Of the end of its version, of the tool and of a field.
  expect(await page.getByText(MARKUP).count()).toBe(3);
  expect(wrongs).toEqual([]);
});

test("a tool is called by REST where the reader chooses that, with the answer and errors of that interface", async () => {
  const { page, wrongs } = await open("runner.order", "?example=0");
  await page.getByLabel("Over").selectOption("REST");
  await expect.poll(() => page.url()).toContain("by=rest");
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url() === `${url}/agent/1.0.0/api/tools/runner.order`),
    page.getByRole("button", { name: "Call", exact: true }).click(),
  ]);
  expect(request.method()).toBe("POST");
  await expect.poll(() => readAnswer(page), ANSWERED).toMatchObject({ ordered: { article: "lamp" } });
  await page.getByRole("link", { name: /^[0-9a-f-]{36}$/ }).click();
  await page.getByRole("heading", { name: "Conversation" }).waitFor();
  await page.locator(".card", { hasText: "runner.order" }).waitFor();
  await page.goBack();
  await page.getByLabel("amount required").fill("12");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("alert").getByText("`amount` must be at most 9.").waitFor();
  expect(wrongs).toEqual([]);
});

test("the service says what is wrong with an input, which may begin as an example and be written as JSON", async () => {
  const { page } = await open("runner.order", "?example=0");
  await page.getByRole("button", { name: "As JSON" }).click();
  const area = page.getByLabel("Input");
  expect(JSON.parse(await area.inputValue())).toEqual({
    article: "lamp",
    amount: 2,
    wrapped: true,
    to: { street: "Main Street" },
  });
  await area.fill("[]");
  expect(await page.getByText("The input of a tool is a JSON object.").count()).toBe(1);
  await area.fill('{ "article": "lamp", "amount": 12 }');
  await page.getByRole("button", { name: "Call", exact: true }).click();
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.innerText()).toContain("`amount` must be at most 9.");
});

test("a number that the browser would change is not sent, and choices that read alike are told apart", async () => {
  const { page } = await open("runner.order", "?example=0");
  const sent: string[] = [];
  page.on("request", (request) => void sent.push(request.postData() ?? ""));
  const call = page.getByRole("button", { name: "Call", exact: true });
  await page.getByLabel("amount required").fill("9007199254740993");
  await call.click();
  expect(await page.getByText("The browser cannot send 9007199254740993 exactly").count()).toBe(1);
  await page.getByRole("button", { name: "As JSON" }).click();
  expect(await page.getByLabel("Input").getAttribute("aria-required")).toBe("true");
  await page.getByLabel("Input").fill('{ "article": "lamp", "amount": 0.12345678901234567890 }');
  await call.click();
  expect(await page.getByText("The browser cannot send 0.12345678901234567890 exactly").count()).toBe(1);
  expect(sent.filter((body) => body.includes("tools/call"))).toEqual([]);
  await page.getByLabel("Input").fill('{ "article": "lamp", "amount": 1, "code": "1" }');
  await page.getByRole("button", { name: "As a form" }).click();
  const options = await page.getByLabel("code", { exact: true }).locator("option").allInnerTexts();
  expect(options).toEqual(["(not given)", "1", '"1"', "null", '"null"']);
  await call.click();
  await expect
    .poll(() => readAnswer(page))
    .toEqual({ ordered: { article: "lamp", amount: 1, code: "1", wrapped: false } });
});

test("progress and lines of log come before the answer", async () => {
  const { page, wrongs } = await open("runner.steps");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await expect.poll(() => readAnswer(page)).toEqual({ name: "done" });
  expect(await page.getByRole("progressbar").getAttribute("value")).toBe("3");
  expect(await page.getByText("Step 3").count()).toBe(1);
  expect(await page.getByText(`info: ${MARKUP}`).count()).toBe(1);
  expect(wrongs).toEqual([]);
});

test("what a tool asks is answered in the page, or declined", async () => {
  const { page, wrongs } = await open("runner.ask");
  const call = page.getByRole("button", { name: "Call", exact: true });
  await call.click();
  await page.getByRole("heading", { name: "The tool asks you" }).waitFor();
  expect(await page.getByText(`Your name? ${MARKUP}`).count()).toBe(1);
  expect(await findAccessProblems(page)).toEqual([]);
  await page.getByLabel("name required").fill("Grace");
  await page.getByRole("button", { name: "Answer", exact: true }).press("Enter");
  await expect.poll(() => readAnswer(page)).toEqual({ name: "Grace" });
  await call.click();
  await page.getByRole("button", { name: "Decline" }).click();
  await expect.poll(() => readAnswer(page)).toEqual({ name: "decline" });
  expect(wrongs).toEqual([]);
});

test("the keyboard stays where it is useful when a call begins, is stopped, asks and has its answer", async () => {
  const { page } = await open("runner.ask");
  await page.route("**/agent/1.0.0/runner", () => undefined);
  const call = page.getByRole("button", { name: "Call", exact: true });
  await call.press("Enter");
  await page.getByText("Calling ...").waitFor();
  expect(await focused(page)).toBe("Call");
  await page.getByRole("button", { name: "Stop" }).press("Enter");
  await page.getByText("You have stopped the call.").waitFor();
  expect(await focused(page)).toMatch(/^You have stopped the call/);
  await page.unrouteAll();

  await call.press("Enter");
  await page.getByRole("button", { name: "Decline" }).press("Enter");
  await expect.poll(() => readAnswer(page)).toEqual({ name: "decline" });
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("status");
});

test("an answer that does not fit stays in its form with the reason, also where the service finds it", async () => {
  const { page, wrongs } = await open("runner.ask");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  const [name, age] = [page.getByLabel("name required"), page.getByRole("spinbutton", { name: "age" })];
  await name.fill("Grace");
  await age.fill("0");
  await age.press("Enter");
  await page.getByRole("alert").getByText("age must be at least 1.").waitFor();
  expect(await name.inputValue()).toBe("Grace");
  expect(await focused(page)).toBe(await age.getAttribute("id"));

  await age.fill("7");
  await page.route("**/agent/1.0.0/runner", (route, request) =>
    route.continue({ postData: (request.postData() ?? "").replace('"age":7', '"age":0') }),
  );
  await age.press("Enter");
  await page.getByRole("alert").getByText("did not fit what the tool asks, so it asks again").waitFor();
  expect([await name.inputValue(), await age.inputValue()]).toEqual(["Grace", "7"]);
  expect(await focused(page)).toBe("The tool asks you");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Answer", exact: true }).press("Enter");
  await expect.poll(() => readAnswer(page)).toEqual({ name: "Grace" });
  expect(wrongs).toEqual([]);
});

test("a conversation that ran with tuned values is rewarded once, and goes on", async () => {
  const { page, wrongs } = await open("runner.chat");
  await page.getByLabel("message required").fill("Hello");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("heading", { name: "Reward" }).waitFor();
  await page.getByRole("button", { name: "Good (1)" }).click();
  await page.getByText("Rewarded.").waitFor();
  await takePicture(page, "console-try");
  expect(await page.getByRole("button", { name: "Poor (0)" }).isDisabled()).toBe(true);

  await page.getByRole("button", { name: "Go on with this conversation" }).click();
  const id = await page.getByRole("textbox", { name: "conversation_id" }).inputValue();
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await expect.poll(() => readAnswer(page)).toMatchObject({ reply: { turns: 2 }, conversation_id: id });
  await page.goto(`${url}/console/try/1.0.0/runner/runner.plain`);
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await expect.poll(() => readAnswer(page)).toMatchObject({ conversation_id: expect.any(String) as string });
  expect(await page.getByRole("heading", { name: "Reward" }).count()).toBe(0);
  expect(wrongs).toEqual([]);
});

test.each(["light", "dark"] as const)(
  "it keeps nobody out in the %s theme, from 360 pixels on",
  async (colorScheme) => {
    const { page } = await openPage(browser, `${url}/console/try/1.0.0/runner/runner.order?example=0`, {
      colorScheme,
      viewport: { width: 360, height: 740 },
    });
    await page.getByRole("button", { name: "Menu: Try" }).waitFor();
    await page.getByRole("button", { name: "Add to notes" }).click();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByRole("heading", { name: "What it answered" }).waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  },
);
