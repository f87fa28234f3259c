import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInProcess } from "../helpers/cairn.ts";
import { findAccessProblems, openBrowser, openPage } from "../helpers/console-browser.ts";
import { type LandingService, openLandingService } from "../helpers/landing-service.ts";
import { createShared } from "../helpers/temporary.ts";

const shared = createShared();
let browser: Browser;
let service: LandingService;

beforeAll(async () => {
  service = await openLandingService({ atEnd: shared.atEnd });
  browser = await openBrowser(shared.atEnd);
});
afterAll(shared.undoAll);

const OBJECTIVE = "Raise the wait of the run tools to 30 seconds.";

const open = (who: string, path: string) =>
  openPage(browser, `${service.service.url}/console/${path}`, { extraHTTPHeaders: { authorization: who } });

/** A task of ada's whose plan asks what is meant. */
async function ask(title: string): Promise<string> {
  const { task_id, run_id } = await service.begin("ada", OBJECTIVE, title);
  expect(await service.advance(run_id)).toMatchObject({ state: "released", step: "execute" });
  return task_id;
}

describe("the question of a task", { timeout: 120_000 }, () => {
  test("is answered by its creator in the page, and what was chosen becomes a version without another word", async () => {
    const task = await ask("Longer waits");
    const waiting = await runInProcess(["work", "waiting", "--data", service.data]);
    expect(waiting.stdout).toContain(`${task}: answer    cairn work answer ${task} a\n`);
    const asJson = await runInProcess(["work", "waiting", "--data", service.data, "--json"]);
    const [{ question, ...asked }] = JSON.parse(asJson.stdout);
    expect(asked).toMatchObject({ task_id: task, created_by: "ada", title: "Longer waits" });
    expect(question.readings[0]).toEqual({
      id: "a",
      title: "The time limit of `approval_write` is `30000`; it was `10000`.",
    });

    const { page, wrongs } = await open("ada", "work?version=1.0.0");
    await page.locator(".card", { hasText: "Longer waits" }).locator(".badge", { hasText: "asks" }).waitFor();
    await page.getByRole("link", { name: "Longer waits" }).press("Enter");
    await page.getByRole("heading", { name: "It asks" }).waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Choose a" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Choose a" }).press("Enter");
    await page.getByText("Answered: The time limit of").waitFor();
    expect(await page.getByRole("heading", { name: "It asks" }).count()).toBe(0);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    expect(wrongs).toEqual([]);

    const { body } = await service.call("wim", "task_claim", { worker_id: "w1" });
    expect(body.task_id).toBe(task);
    expect(await service.advance(body.run_id)).toMatchObject({ state: "blocked", step: "propose" });
    const { run } = await service.settled("ada", task, ({ status }) => status !== "blocked");
    // It was chosen by who asked, so nobody else has to approve what a worker brought.
    expect(run.proposal).toMatchObject({ state: "live" });
    expect(await service.origin.git("show", "main:manifests/work/approval_write.yaml")).toContain("30000");
  });

  test("is shown to others, who cannot answer it", async () => {
    const task = await ask("Other waits");
    const { page } = await open("rob", `work/tasks/${task}?version=1.0.0`);
    await page.getByRole("button", { name: "Choose b" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Choose b" }).click();
    await page.locator(".failure", { hasText: "who alone answers its questions" }).waitFor();
    expect((await service.call("ada", "task_status", { task_id: task })).body.question).toBeDefined();
  });

  test("is answered in words, which belong to the objective", async () => {
    const task = await ask("Words");
    const { page } = await open("ada", `work/tasks/${task}?version=1.0.0`);
    await page.getByLabel("Or answer in words").fill("I mean the time limit of `run_events`.");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByText("Answered: I mean the time limit of").waitFor();
    expect((await service.call("ada", "task_status", { task_id: task })).body.answers).toMatchObject([
      { text: "I mean the time limit of `run_events`." },
    ]);
  });
});
