import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
  await architect.chat("mia", { message: "Set the default of limits.most to 5" });
  await architect.chat("mia", { message: `${MARKUP} furiously`, dry_run: true });
});
afterAll(shared.undoAll);

const open = (who: string, path = "work", options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${architect.service.url}/console/${path}`, {
    extraHTTPHeaders: { authorization: who },
    ...options,
  });

const tool = async (name: string, input: object) => {
  const { status, body } = await architect.post("mia", `/agent/latest/api/tools/${name}`, input);
  expect(status).toBe(200);
  return body;
};

describe("the pages of work", () => {
  test("lead from the tasks to a run with what was asked, planned, changed, tried and decided", async () => {
    const { page, wrongs } = await open("mia");
    await page.getByText(MARKUP).first().waitFor();
    expect(await page.title()).toBe("Work - Cairn");
    await page.getByLabel("Status").selectOption("completed");
    await expect.poll(() => page.url()).toContain("status=completed");
    await page.getByRole("link", { name: "Set the default of limits.most to 5" }).press("Enter");
    await page.getByText("It is live as 1.0.1").first().waitFor();
    const task = page.url().replace(/^.*\/([\w-]+)(?:\?.*)?$/, "$1");
    expect(await page.title()).toBe(`${task} - Task - Cairn`);
    await page.getByRole("link", { name: "Its latest run" }).press("Enter");
    await expect.poll(() => page.title()).toMatch(/^[\w-]+ - Run - Cairn$/);
    await page.locator(".diff [data-kind=added]", { hasText: "default: 5" }).waitFor();
    await takePicture(page, "console-work");
    for (const name of ["Asked", "Planned", "Changed", "Tried", "Decided", "Evidence", "Events"]) {
      expect(await page.getByRole("heading", { name, exact: true }).count()).toBe(1);
    }
    expect(await page.locator("main").innerText()).toMatch(/manifests\/parameters\/limits\.yaml/);
    expect(wrongs).toEqual([]);
  });

  test("show the events and the end of a run as they happen", async () => {
    await tool("task_create", { title: "By hand", objective: "Do it.", workflow: "external" });
    const { task_id, run_id } = (await tool("task_claim", { worker_id: "w1" })).task;
    const { page } = await open("mia", `work/runs/${run_id}`);
    const events = page.getByRole("log", { name: "Events" });
    await events.getByText("run.began").waitFor();
    expect(await events.getByText("notes.md").count()).toBe(0);
    await tool("artifact_write", { run_id, name: "notes.md", content: "Half of it." });
    await events.getByText("notes.md").first().waitFor();
    await tool("task_complete", { task_id, run_id, worker_id: "w1", status: "failed", result_summary: MARKUP });
    await page.locator("h2 .badge", { hasText: "failed" }).waitFor();
    await page.locator(".part", { hasText: MARKUP }).first().waitFor();
  });

  test("show less to who may do less, and nothing of one tenant to another", async () => {
    const { tasks } = await tool("task_list", {});
    const run = tasks.find(({ status }: { readonly status: string }) => status === "completed").run_id;
    const { page: watcher } = await open("wim", `work/runs/${run}`);
    await watcher.getByRole("heading", { name: "Tried" }).waitFor();
    await watcher.locator(".failure", { hasText: "FORBIDDEN" }).waitFor();
    expect(await watcher.getByRole("heading", { name: "Events" }).count()).toBe(0);
    expect(await watcher.locator(".diff").count()).toBe(0);

    const { page: user } = await open("uwe");
    await user.getByText("You may not see work").waitFor();
    const { page: stranger } = await open("eve");
    await stranger.getByText("There are no such tasks.").waitFor();
    await stranger.goto(`${architect.service.url}/console/work/runs/${run}`);
    await stranger.locator(".failure", { hasText: "NOT_FOUND" }).waitFor();
    expect(await stranger.locator("main").innerText()).not.toContain("limits");
  });

  test.each(["light", "dark"] as const)("keep nobody out in the %s theme, from 360 pixels on", async (colorScheme) => {
    const { page } = await open("mia", "work", { colorScheme, viewport: { width: 360, height: 740 } });
    const check = async () => {
      expect(await findAccessProblems(page)).toEqual([]);
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
    };
    const link = page.getByRole("link", { name: "Set the default of limits.most to 5" });
    await link.waitFor();
    await check();
    await link.click();
    await page.getByRole("heading", { name: "Task" }).waitFor();
    await page.getByRole("link", { name: "Its latest run" }).waitFor();
    await check();
    await page.getByRole("link", { name: "Its latest run" }).click();
    await page.locator(".diff").first().waitFor();
    await check();
  });
});
