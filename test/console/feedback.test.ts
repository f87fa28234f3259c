import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DROP_MOOD } from "../fixtures/greeter.ts";
import type { ArchitectService } from "../helpers/architect-service.ts";
import { MARKUP } from "../helpers/console-agent.ts";
import { openConsoleArchitect } from "../helpers/console-architect.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { createShared } from "../helpers/temporary.ts";

const shared = createShared();
let browser: Browser;
let architect: ArchitectService;

beforeAll(async () => {
  architect = await openConsoleArchitect(shared.atEnd);
  browser = await openBrowser(shared.atEnd);
});
afterAll(shared.undoAll);

/** Opens an address of the console as somebody. */
const open = (who: string, path: string, options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${architect.service.url}/console/${path}`, {
    extraHTTPHeaders: { authorization: who },
    ...options,
  });

describe("the pages of feedback", () => {
  test("offer readings where the Architect asks what is meant, and carry out the one that is chosen", async () => {
    const message = "Nobody needs more than 3 there by default, 2 would be enough for most.";
    const { page } = await open("mia", `feedback?${new URLSearchParams({ version: "1.0.0", message })}`);
    await page.getByLabel("Only try it").check();
    await page.getByRole("button", { name: "Try it out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Try it out" }).click();
    await page.locator(".card", { hasText: "The parameter `limits.most` is `2` by default" }).first().waitFor();
    const commands = page.locator(".commands pre");
    await expect
      .poll(() => commands.nth(1).innerText())
      .toMatch(/^cairn feedback 'yes [0-9a-f-]{36} a' --agent [0-9a-f]{40}$/);
    await page.getByRole("button", { name: "Choose a" }).press("Enter");
    await page.getByRole("dialog").getByText("This will be carried out").waitFor();
    const asked = page.url();
    await page.keyboard.press("Enter");
    await page.getByText("Dry run: nothing was changed.").first().waitFor();
    expect(page.url()).not.toBe(asked);
    expect(await page.evaluate("document.activeElement.innerText")).toBe("Progress of feedback");
  });

  test("send a wish by the keyboard alone, follow it until it is live, and show its change and evidence", async () => {
    const { page, wrongs } = await open("mia", "feedback");
    const field = page.getByLabel("What is to change");
    await field.waitFor();
    await field.focus();
    await page.keyboard.type("Set the default of limits.most to 5");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.locator(".commands pre").innerText()).toBe(
      "cairn feedback 'Set the default of limits.most to 5' --agent latest",
    );
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain("This feedback about 1.0.0 will be carried out.");
    expect(await findAccessProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");

    await page.waitForURL(/\/console\/feedback\/[0-9a-f]{40}\/[0-9a-f-]{36}$/);
    await page.locator(".part", { hasText: "It is live as 1.0.1" }).first().waitFor();
    expect(await page.evaluate("document.activeElement.innerText")).toBe("Progress of feedback");
    await expect.poll(() => page.locator("[aria-current=step]").innerText()).toBe("ended");
    await page.locator(".diff [data-kind=added]", { hasText: "default: 5" }).waitFor();
    await page.locator("summary", { hasText: "gate_report.json" }).press("Enter");
    await page.getByText('"risk_level"').waitFor();
    await page.locator(".journal li", { hasText: "gate.judged" }).waitFor();
    await page.getByRole("heading", { name: "Progress of feedback" }).scrollIntoViewIfNeeded();
    await takePicture(page, "console-feedback");
    const progress = page.url();
    await page.getByText("Clients that are pinned to 1.0.0 keep it").waitFor();
    await page.getByRole("link", { name: "Ask for the opposite change." }).press("Enter");
    await field.waitFor();
    expect(page.url()).toBe(`${architect.service.url}/console/feedback?version=1.0.1`);

    const moved = await architect.chat("mia", { message: "Point stable at 1.0.1" });
    expect(moved.body).toMatchObject({ result: "committed" });
    await page.goto(progress);
    await page.getByRole("link", { name: "Have stable stand for 1.0.0 again" }).press("Enter");
    await expect.poll(() => field.inputValue()).toBe("Roll back stable to 1.0.0");
    await page.getByLabel("Only try it").check();
    await page.getByRole("button", { name: "Try it out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Try it out" }).click();
    await page.locator(".part", { hasText: "The label `stable` stands for 1.0.0" }).first().waitFor();
    expect(wrongs).toEqual([]);
  });

  test("take back what was tuned", async () => {
    const { page } = await open("mia", "feedback");
    await page.getByLabel("What is to change").fill("Promote long for style");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await page.getByText("`style` now runs with `long`").first().waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undo the change").first().waitFor();
    await page.getByText("Nothing was committed").first().waitFor();
  });

  test("say why a wish was rejected, and show what people wrote as text", async () => {
    const { page, wrongs } = await open("mia", "feedback");
    await page.getByLabel("What is to change").fill(`${MARKUP} furiously`);
    await page.getByLabel("Only try it").check();
    await page.getByRole("button", { name: "Try it out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Try it out" }).click();
    await page.locator(".badge", { hasText: "rejected" }).waitFor();
    await page.getByText(`${MARKUP} furiously`).first().waitFor();
    expect(await page.title()).toBe(`${page.url().split("/").at(-1)} - Progress of feedback - Cairn`);
    expect(wrongs).toEqual([]);
  });

  test("hide the form from who may not send, and show nothing of one tenant to another", async () => {
    const sent = await architect.chat("mia", { message: DROP_MOOD }, { headers: { prefer: "respond-async" } });
    const path =
      sent.headers
        .get("location")
        ?.replace(/^\/agent\/(\w+)\/architect/, "$1")
        .replace("/feedback/", "/") ?? "";
    const { page: user } = await open("uwe", "feedback");
    await user.getByText("You may not send feedback").waitFor();
    expect(await user.getByRole("button", { name: "Send" }).count()).toBe(0);

    const { page: stranger } = await open("eve", `feedback/${path}`);
    await stranger.getByText("NOT_FOUND").waitFor();
    expect(await stranger.locator("main").innerText()).not.toContain("mood");
    await stranger.goto(`${architect.service.url}/console/feedback`);
    await stranger.getByLabel("What is to change").waitFor();
    expect(await stranger.getByText("Sent before").count()).toBe(0);

    const { page: own } = await open("mia", `feedback/${path}`);
    await own.getByRole("link", { name: "It waits for the approval of another person." }).waitFor();
    await own.locator(".diff [data-kind=removed]", { hasText: "mood: { type: string" }).waitFor();
  });

  test.each(["light", "dark"] as const)("keep nobody out in the %s theme, from 360 pixels on", async (colorScheme) => {
    const { page } = await open("mia", "feedback", { colorScheme, viewport: { width: 360, height: 740 } });
    await page.getByText("Sent before").waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
    await page.getByRole("link", { name: "Set the default of limits.most to 5" }).click();
    await page.locator(".part", { hasText: "It is live as 1.0.1" }).first().waitFor();
    await page.locator(".diff [data-kind=added]", { hasText: "default: 5" }).waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  });
});
