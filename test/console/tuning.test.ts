import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { tunedAgentFiles } from "../fixtures/tuned-agent.ts";
import { agentFiles } from "../helpers/agent.ts";
import { findAccessProblems, openBrowser, openPage, takePicture } from "../helpers/console-browser.ts";
import { openServiceFor } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const HOSTILE = "<img src=x onerror=alert(1)>";
const STYLE = `description: The tone.
parameters: { tone: { type: categorical, values: [dry, kind, ${JSON.stringify(HOSTILE)}], default: dry } }
experiment:
  strategy: { kind: thompson }
  exploration: { share: 1, floor: 0.3 }
  reward: { range: [0, 1], deadline: 3600 }
  stop: { delta: 0.05, minSamples: 1000 }
`;
const toCaller = (tenant: string, actor: string, role: string, ...scopes: string[]): Caller => ({
  tenant,
  actor,
  roles: [role],
  scopes: new Set(["versions:read", ...scopes]),
});
/** By what they send as `Authorization`. */
const CALLERS = {
  mia: toCaller("acme", "mia", "maintainer", "runner", "tuner"),
  /** Sees experiments, and changes nothing. */
  uwe: toCaller("acme", "uwe", "user", "runner", "tuner"),
  /** May not use the tuner at all. */
  ada: toCaller("acme", "ada", "user", "runner"),
  eve: toCaller("other", "eve", "user", "runner", "tuner"),
};

const shared = createShared();
let browser: Browser;
let service: Service;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release(
    "0.9.0",
    agentFiles({ version: "0.9.0", tools: { echo: { handler: "export default () => ({});\n" } } }),
  );
  const files = { "manifests/policies/access.yaml": 'roles: { maintainer: ["tool:*"], user: [tool:runner.get] }\n' };
  await repository.release("1.0.0", tunedAgentFiles({ version: "1.0.0", parent: "0.9.0", style: STYLE, files }));
  service = await openServiceFor(repository.path, CALLERS, shared.atEnd);
  browser = await openBrowser(shared.atEnd);
  for (let index = 0; index < 30; index++) {
    const { conversation_id, style } = await call("runner.get", {});
    const reward = style.tone === "kind" ? 1 : 0.2;
    await call("tuner.bandit_reward", { conversation_id, reward });
  }
});
afterAll(shared.undoAll);

async function call(tool: string, input: object) {
  const response = await fetch(`${service.url}/agent/1.0.0/api/tools/${tool}`, {
    method: "POST",
    headers: { authorization: "mia", "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { readonly conversation_id: string; readonly style: { readonly tone: string } };
}

const open = (who: keyof typeof CALLERS, path = "tuning/1.0.0", options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${service.url}/console/${path}`, { extraHTTPHeaders: { authorization: who }, ...options });

describe("the page of tuning", () => {
  test("shows arms, evidence and a picture, and proposes, promotes and reverts by the keyboard alone", async () => {
    const { page, wrongs } = await open("mia", "tuning");
    await page.getByLabel("Version", { exact: true }).fill("1.0.0");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toBe(`${service.url}/console/tuning/1.0.0`);
    const card = page.locator(".card");
    await card.waitFor();
    expect(await page.title()).toBe("1.0.0 - Tuning - Cairn");
    expect(await page.locator(".commands pre").allInnerTexts()).toEqual([
      "cairn tune status",
      `cairn call 1.0.0 tuner.propose '{"experiment":"style"}'`,
    ]);
    expect(await card.locator("tbody tr").count()).toBe(3);
    expect(await card.locator("tbody tr", { hasText: "kind" }).innerText()).toMatch(
      /kind\t\d+\t0\t1\.00\t[\d.]+ to 1\.00\t0\.\d+/,
    );
    expect(await card.innerText()).toContain(HOSTILE);
    expect(await card.innerText()).toContain("Some arms have too few rewards for the stop rule.");
    expect(await card.locator("dd").first().innerText()).toMatch(/^{"tone":"dry"}\s+default$/);
    expect(await card.innerText()).toContain("30 rewarded");

    await card.getByText("Mean rewards").press("Enter");
    await card.getByRole("img", { name: "Mean rewards of style" }).waitFor();
    const width = () => page.evaluate<number>("document.querySelector('.picture').naturalWidth");
    await expect.poll(width).toBeGreaterThan(100);
    await takePicture(page, "console-tuning");

    await card.getByRole("button", { name: "Propose as default" }).press("Enter");
    await card.locator(".diff [data-kind=added]", { hasText: "default: kind" }).waitFor();

    await card.getByRole("button", { name: "Promote" }).press("Enter");
    const dialog = page.getByRole("dialog");
    expect(await dialog.innerText()).toContain('{"tone":"kind"}');
    await dialog.getByRole("button", { name: "Promote" }).press("Enter");
    await card.locator("dd", { hasText: '{"tone":"kind"} promoted, by mia' }).waitFor();
    await card.getByRole("button", { name: "Revert" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Revert" }).press("Enter");
    await card.locator("dd", { hasText: '{"tone":"dry"} reverted, by mia' }).waitFor();
    expect(wrongs).toEqual([]);
  });

  test("shows others no more than they may do, and nothing of one tenant to another", async () => {
    const { page: user } = await open("uwe");
    await user.locator(".card").waitFor();
    expect(await user.locator(".card .actions button").count()).toBe(0);
    const { page: outsider } = await open("ada");
    await outsider.getByText("This version has no tuner").waitFor();
    const { page: stranger } = await open("eve");
    await stranger.locator(".card", { hasText: "0 rewarded" }).waitFor();
    expect(await stranger.locator(".card").innerText()).toContain("Nothing is known yet that could be promoted.");
    const { page: other } = await open("mia", "tuning/0.9.0");
    await other.getByText("This version has no tuner").waitFor();
    const { page: unknown } = await open("mia", "tuning/7.0.0");
    await unknown.locator(".failure", { hasText: "NOT_FOUND" }).waitFor();
  });

  test.each(["light", "dark"] as const)("keeps nobody out in the %s theme, from 360 pixels on", async (colorScheme) => {
    const { page } = await open("mia", "tuning/1.0.0", { colorScheme, viewport: { width: 360, height: 740 } });
    await page.getByText("Mean rewards").click();
    await page.locator(".picture").waitFor();
    await page.getByRole("button", { name: "Propose as default" }).click();
    await page.locator(".diff").waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  });
});
