import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGreeter } from "../fixtures/greeter.ts";
import { type ArchitectService, openArchitectService, toCaller } from "../helpers/architect-service.ts";
import { openBrowser, openPage } from "../helpers/console-browser.ts";
import { createShared } from "../helpers/temporary.ts";

const WEATHER = `name: runner.weather
version: 1.0.0
description: Says how warm it is.
input:
  type: object
  required: [place]
  properties:
    place: { type: string, description: Where. }
    units: { type: string, enum: [celsius, fahrenheit], default: celsius }
  additionalProperties: false
output:
  type: object
  required: [temperature, units]
  properties: { temperature: { type: number }, units: { type: string } }
  additionalProperties: false
deterministic: true
requiredCapabilities: [tool:runner.weather]
examples:
  - input: { place: Paris }
    output: { temperature: 20, units: celsius }
`;
const HANDLER = `import type { Handler } from "../../server/host-api.ts";

const TEMPERATURES: Readonly<Record<string, number>> = { celsius: 20, fahrenheit: 68, kelvin: 293 };

const weather: Handler<{ readonly place: string; readonly units: string }> = ({ place, units }, ctx) => {
  if (place === "Atlantis") throw ctx.fail("NOT_FOUND", "There is no such place.");
  return { temperature: TEMPERATURES[units] ?? 20, units };
};

export default weather;
`;
/** By what they send as `Authorization`. */
const PEOPLE = { nia: toCaller("nia", "maintainer"), shop: toCaller("shop", "user") };
const POLICY = `roles:
  maintainer: ["architect:*", "tool:*"]
  user: ["tool:runner.greet", "tool:runner.weather"]
`;
/** Fewer clicks than this reach what each task asks for. */
const CLICKS = 5;
/** Presses of Tab after which a story by the keyboard has lost its way. */
const TABS = 80;

const shared = createShared();
let browser: Browser;
let architect: ArchitectService;

beforeAll(async () => {
  const files = {
    ...(await createGreeter()),
    "manifests/policies/access.yaml": POLICY,
    "manifests/runner/weather.yaml": WEATHER,
    "tools/runner/weather.ts": HANDLER,
  };
  architect = await openArchitectService({ files, people: PEOPLE, atEnd: shared.atEnd });
  const call = (version: string, place: string) =>
    architect.post("shop", `/agent/${version}/api/tools/runner.weather`, { place });
  expect((await call("1.0.0", "Paris")).status).toBe(200);
  expect((await call("1.0.0", "Atlantis")).status).toBe(404);
  const { clone } = architect;
  const versions = (await clone.git("show", "HEAD:versions.yaml")).replace(/^current: 1\.0\.0$/m, "current: 1.1.0");
  await clone.commit({
    "versions.yaml": `${versions}\n  1.1.0:\n    parent: 1.0.0\n    date: 2026-02-01T00:00:00Z\n    changes:\n      - It says so.\n`,
    "manifests/runner/weather.yaml": WEATHER.replace("version: 1.0.0", "version: 1.1.0").replace(
      "description: Where.",
      "description: Where it is.",
    ),
  });
  for (const tag of ["v1.1.0", "v1.4.2"]) await clone.tag(tag);
  await clone.git("push", "--quiet", "origin", "main", "--tags");
  browser = await openBrowser(shared.atEnd);
});
afterAll(shared.undoAll);

/** Opens the console as somebody who has never seen it, and counts the clicks. */
async function begin() {
  const { page, wrongs } = await openPage(browser, `${architect.service.url}/`, {
    extraHTTPHeaders: { authorization: "nia" },
  });
  await page.getByRole("link", { name: "1.1.0", exact: true }).waitFor();
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const to = (name: string) => click(page.getByRole("navigation").getByRole("link", { name, exact: true }));
  const rowOf = (version: string) =>
    page.locator(".version", { has: page.getByRole("link", { name: version, exact: true }) });
  const end = () => {
    expect(clicks).toBeLessThan(CLICKS);
    expect(wrongs).toEqual([]);
  };
  return { page, click, to, rowOf, end };
}

describe("a newcomer", () => {
  test("sees which version the shop still uses", async () => {
    const { rowOf, end } = await begin();
    await rowOf("1.0.0").getByText("Called by shop").waitFor();
    end();
  });

  test("sees why 1.4.2 is not served, and what would be right", async () => {
    const { rowOf, end } = await begin();
    const text = await rowOf("1.4.2").locator(".problems").innerText();
    expect(text).toContain("The tag `v1.4.2` names version `1.4.2`, but `current` is `1.1.0` at this commit.");
    expect(text).toContain("Fix: Tag it `v1.1.0`");
    end();
  });

  test("tries the weather tool", async () => {
    const { page, click, end } = await begin();
    await click(page.getByRole("link", { name: "1.1.0", exact: true }));
    await click(page.getByRole("button", { name: "runner.weather" }));
    await click(page.getByRole("link", { name: "Try it runner.weather" }));
    await page.getByLabel("place required").fill("Paris");
    await click(page.getByRole("button", { name: "Call", exact: true }));
    await page.getByText('"temperature": 20').waitFor();
    end();
  });

  test("tells it that it should accept kelvin, and gets that merged", { timeout: 120_000 }, async () => {
    const { page, click, to, end } = await begin();
    await to("Feedback");
    await page.getByLabel("What is to change").fill("The weather tool should accept kelvin");
    await click(page.getByRole("button", { name: "Send" }));
    await click(page.getByRole("dialog").getByRole("button", { name: "Send" }));
    const answer = page.locator(".part", { hasText: "runner.weather accepts kelvin as units. It is live as 1.2.0" });
    await answer.first().waitFor({ timeout: 90_000 });
    end();
  });

  test("finds what would change for callers of 1.0.0", async () => {
    const { page, to, end } = await begin();
    await to("Compare");
    await page.getByRole("combobox", { name: "From" }).fill("1.0.0");
    await page.getByRole("combobox", { name: "To" }).fill("1.1.0");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "This change needs a bump:" }).waitFor();
    end();
  });

  test("finds which calls failed, and why", async () => {
    const { page, to, end } = await begin();
    await to("Calls");
    await page.getByLabel("Outcome", { exact: true }).fill("failed");
    await page.keyboard.press("Enter");
    await page.locator(".card", { hasText: "There is no such place." }).waitFor();
    end();
  });

  test("sees whether the audit log is whole", async () => {
    const { page, to, end } = await begin();
    await expect
      .poll(async () => (await architect.get("nia", "/audit/acme/checkpoint")).status, { timeout: 30_000 })
      .toBe(200);
    await to("Audit");
    await page.locator(".checks li", { hasText: "records have the SHA-256" }).waitFor();
    expect(await page.locator(".checks", { hasText: "Does not fit" }).count()).toBe(0);
    end();
  });

  test("finds what waits for an approval, and what they may do", async () => {
    const { page, to, end } = await begin();
    await to("Approvals");
    await page.getByText("Nothing waits for an approval.").waitFor();
    await to("Settings");
    await page.locator("dd", { hasText: "architect:chat" }).waitFor();
    end();
  });
});

/** Goes on by Tab alone until something with this text or label has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < TABS; press += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(
      `(() => { const e = document.activeElement; return (e.labels?.[0]?.innerText ?? e.innerText ?? "").trim(); })()`,
    );
    if (focused.startsWith(name)) return;
  }
  throw new Error(`No press of Tab led to ${name}.`);
}

describe("the keyboard alone", () => {
  test("leads from the versions to the answer of a tool", async () => {
    const { page } = await begin();
    await tabTo(page, "1.1.0");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "runner.weather" }).waitFor();
    await tabTo(page, "runner.weather");
    await page.keyboard.press("Enter");
    await tabTo(page, "Try it");
    await page.keyboard.press("Enter");
    await page.getByLabel("place required").waitFor();
    await tabTo(page, "place");
    await page.keyboard.type("Paris");
    await tabTo(page, "Call");
    await page.keyboard.press("Enter");
    await page.getByText('"temperature": 20').waitFor();
  });

  test("leads to the transcript of a call that failed", async () => {
    const { page } = await begin();
    await tabTo(page, "Calls");
    await page.keyboard.press("Enter");
    await page.getByLabel("Outcome", { exact: true }).waitFor();
    await tabTo(page, "Outcome");
    await page.keyboard.type("failed");
    await page.keyboard.press("Enter");
    await page.locator(".card", { hasText: "There is no such place." }).waitFor();
    await tabTo(page, "Transcript");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Conversation", exact: true }).waitFor();
  });

  test("tries feedback out, and cancels before it is sent for good", async () => {
    const { page } = await begin();
    await tabTo(page, "Feedback");
    await page.keyboard.press("Enter");
    await page.getByLabel("What is to change").waitFor();
    await tabTo(page, "What is to change");
    await page.keyboard.type("Set the default of limits.most to 4");
    await tabTo(page, "Send");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Space");
    await tabTo(page, "Try it out");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Dry run: nothing was changed.").first().waitFor();
  });
});
