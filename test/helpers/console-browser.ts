import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import type Axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { AtEnd } from "./temporary.ts";

/** Names under which systems have the browser; Debian's and Ubuntu's package is `chromium`. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** What a page must meet: WCAG 2.2, level AA, and what axe's authors recommend besides. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A page of the console in a browser, and what it did that it must not. */
export interface WatchedPage {
  readonly page: Page;
  /** Breaks of the page's policy, errors of its scripts, and requests to other hosts than the service. */
  readonly wrongs: readonly string[];
}

/** Opens the system's browser without a window. */
export async function openBrowser(atEnd: AtEnd): Promise<Browser> {
  // The namespaces of its sandbox are missing in most containers; the pages are our own.
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  atEnd(() => browser.close());
  return browser;
}

/** Opens a page in a profile of its own, and notes everything that it must not do. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const wrongs: string[] = [];
  page.on("pageerror", ({ message }) => void wrongs.push(message));
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML|Trusted Type/i.test(message.text())) wrongs.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).host !== new URL(url).host) {
      wrongs.push(request.url());
    }
  });
  await page.goto(url);
  return { page, wrongs };
}

/** Keeps a picture of the page for the docs, where `CAIRN_PICTURES` asks for that. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env["CAIRN_PICTURES"] !== undefined) await page.screenshot({ path: `docs/pictures/${name}.png` });
}

/** Finds what keeps people from using the page, in sentences; none: axe finds nothing. */
export async function findAccessProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    const { violations } = await axe.run({ runOnly: { type: "tag", values: rules } });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
    );
  }, RULES);
}

function findBrowser(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  for (const path of NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Then it is elsewhere.
    }
  }
  throw new Error("The tests of the console need Chromium: `apt-get install chromium`.");
}
