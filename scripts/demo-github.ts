// Shows a pull request being opened, checked, merged, tagged and served, without an account: GitHub is the stand-in of the
// tests, everything else is real. `--stay` leaves it running to look around.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openService, type Service } from "../server/app/app.ts";
import { readConfig } from "../server/config/config.ts";
import type { Change, ChangeStatus, Forge } from "../server/forge/forge.ts";
import { createLog } from "../server/log/log.ts";
import { createRedactor } from "../server/log/redact.ts";
import { type GitHubHost, startGitHubHost } from "../test/stand-ins/github/start-github-host.ts";
import { breakChange, makeChange } from "./demo-github/make-change.ts";
import { cairn } from "./demo-github/run.ts";
import { CHECK, startChecker } from "./demo-github/start-checker.ts";

/** Longest wait for news, in milliseconds, before the demo looks anyway. */
const LOOK_MS = 2_000;
const REQUEST = "Apply this diff, so that it greets in Italian, too:";

const say = (line = "") => void process.stdout.write(`${line}\n`);
const undo: (() => Promise<unknown>)[] = [];
try {
  await demonstrate();
} finally {
  for (const step of undo.splice(0).reverse()) await step();
}

async function demonstrate(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-demo-"));
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { host, checkout, token } = await startHost(folder);
  const service = await startCairn(folder, host);
  const checker = await startChecker(host, folder, say);
  undo.push(checker.close);
  say(`Cairn serves it at ${service.url}`);
  await greet(service, "0.1.0", "en");
  say();

  const { files, diff } = await makeChange(checkout, "runner.greet greets in Italian, too.");
  const { forge } = service.forge;
  if (forge === undefined) throw new Error(service.forge.why);

  say("1. A change with a slip in it");
  const broken = await propose(service, forge, breakChange(files));
  const red = await settled(service, forge, broken);
  const refused = await forge.land(broken, { expectHead: red.head, mode: "now" });
  if (refused.outcome === "merged") throw new Error("What is red has landed.");
  say(`It does not land: ${refused.reason}`);
  await forge.abandon(broken, "The manifest is not valid.");
  say(`Cairn closed #${broken.number} and took its branch away.`);
  say();

  say("2. The same change, done right, by whoever can only say what is wanted");
  const { notes, new_version: version } = await chat(service, `${REQUEST}\n\n\`\`\`diff\n${diff}\n\`\`\`\n`);
  say(`Cairn answers: ${notes}`);
  if (version === undefined) throw new Error(notes);
  say();

  say("3. Both versions, side by side");
  await live(service, version);
  await greet(service, version, "it");
  await greet(service, "0.1.0", "it");
  await greet(service, "0.1.0", "en");
  say(`All versions: ${service.url}/versions`);
  if (!process.argv.includes("--stay")) return;
  say();
  const place = `${host.state.owner}/${host.state.repo}`;
  say(
    "It goes on until you press Ctrl-C. To change something yourself, clone, push a branch, and open a pull request:",
  );
  say(`  git clone ${host.url.replace("://", `://ada:${token}@`)}/${place}.git`);
  say(`  curl -H 'authorization: Bearer ${token}' ${host.url}/repos/${place}/pulls \\`);
  say(`    -d '{"title": "Mine", "body": "", "head": "<branch>", "base": "${service.forge.baseBranch}"}'`);
  await new Promise<void>((resolve) => process.once("SIGINT", resolve));
}

/** A repository as `cairn init` makes it, at a GitHub where nothing gets onto `main` without the check. */
async function startHost(folder: string) {
  const host = await startGitHubHost((step) => void undo.push(step));
  const { owner, repo, git } = host.state;
  const checkout = join(folder, "checkout");
  const made = await cairn(["init", checkout], folder);
  if (!made.ok) throw new Error(made.text);
  await git.git(["fetch", "--quiet", checkout, "+refs/*:refs/*"]);
  const token = host.credentials.issueUserToken("ada");
  await host.ask(token, `PUT /repos/${owner}/${repo}/branches/main/protection`, {
    required_status_checks: { strict: true, contexts: [CHECK] },
    enforce_admins: true,
    required_pull_request_reviews: null,
    restrictions: null,
  });
  say(`GitHub's stand-in has the repository ${owner}/${repo} at ${host.url}/${owner}/${repo}.git`);
  say(`Its branch main takes only what the check \`${CHECK}\` has passed.`);
  return { host, checkout, token };
}

/** Configured as it would be for github.com, but for the addresses. */
async function startCairn(folder: string, host: GitHubHost): Promise<Service> {
  const { owner, repo, app } = host.state;
  const secret = randomBytes(20).toString("hex");
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: process.env["PORT"] ?? "0",
    CAIRN_DATA: data,
    CAIRN_REPO: `${host.url}/${owner}/${repo}.git`,
    CAIRN_GITHUB_API: host.url,
    CAIRN_GITHUB_APP_ID: String(app.id),
    CAIRN_GITHUB_APP_KEY: "env:APP_KEY",
    APP_KEY: host.credentials.privateKey,
    CAIRN_GITHUB_WEBHOOK_SECRET: "env:WEBHOOK_SECRET",
    WEBHOOK_SECRET: secret,
  };
  const read = readConfig(environment);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const redactor = createRedactor([secret]);
  const log = createLog("warn", process.stderr, redactor);
  const service = await openService({ config: read.config, environment, folder, checkout: folder, log, redactor });
  undo.push(service.close);
  host.webhooks.add({ url: `${service.url}/webhooks/github`, secret });
  return service;
}

/** Posts a person's wish to the Architect, which turns it into a pull request, a merge, a tag and a version. */
async function chat({ url }: Service, message: string) {
  const address = `${url}/agent/latest/architect/chat`;
  say(`Somebody posts to ${address}: "${message.split("\n", 1)[0]}", with a diff below.`);
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "wait=120" },
    body: JSON.stringify({ message }),
  });
  return (await response.json()) as { readonly notes: string; readonly new_version?: string };
}

/** Proposes a change that has passed every check before, but that no one has verified. */
async function propose(service: Service, forge: Forge, files: ReadonlyMap<string, string>): Promise<Change> {
  const from = (await service.registry.resolve("0.1.0")).version.commit;
  const change = await forge.propose({
    key: "italian-with-a-slip",
    from,
    base: service.forge.baseBranch,
    title: "Greet in Italian",
    body: "@ada asked for it. She is not notified by this, for whoever is named did not write it.",
    author: { name: "Cairn", email: "cairn@localhost" },
    message: "Greet in Italian",
    files,
  });
  say(`Cairn opened pull request #${change.number} from the branch ${change.branch}: ${change.url}`);
  return change;
}

/** Looks again whenever GitHub tells that something has moved, and now and then without. */
async function settled({ forge: { onNudge } }: Service, forge: Forge, change: Change): Promise<ChangeStatus> {
  for (;;) {
    const news = Promise.withResolvers<void>();
    const stop = onNudge(() => news.resolve());
    const status = await forge.status(change);
    if (status.checks !== "green" && status.checks !== "red") await Promise.race([news.promise, sleep(LOOK_MS)]);
    stop();
    if (status.checks === "green" || status.checks === "red") return status;
  }
}

async function live({ registry }: Service, version: string): Promise<void> {
  for (let looks = 0; looks < 100; looks++) {
    const found = await registry.resolve(version).catch(() => undefined);
    if (found !== undefined) return;
    await sleep(100);
  }
  throw new Error(`${version} does not come.`);
}

async function greet({ url }: Service, version: string, language: string): Promise<void> {
  const address = `${url}/agent/${version}/api/tools/runner.greet`;
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", language }),
  });
  const answer = (await response.json()) as { readonly greeting?: string; readonly detail?: string };
  say(`  ${version.slice(0, 10)} in \`${language}\`: ${answer.greeting ?? `${response.status}, ${answer.detail}`}`);
}
