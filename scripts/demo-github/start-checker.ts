import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { GitHubHost } from "../../test/stand-ins/github/start-github-host.ts";
import { cairn, run } from "./run.ts";

/** The check that it reports. */
export const CHECK = "validate";

interface PullRequestEvent {
  readonly action: string;
  readonly pull_request: { readonly number: number; readonly head: { readonly sha: string } };
}

/**
 * Stands in for GitHub Actions with the workflow that `cairn init` writes: receives pull requests, checks out their heads
 * and reports the result of `cairn validate`.
 */
export async function startChecker(
  host: GitHubHost,
  folder: string,
  say: (line: string) => void,
): Promise<{ close(): Promise<void> }> {
  const { owner, repo } = host.state;
  const { token } = host.credentials.issueInstallationToken();
  let last: Promise<void> = Promise.resolve();

  async function check({ action, pull_request: pull }: PullRequestEvent): Promise<void> {
    if (!["opened", "reopened", "synchronize"].includes(action)) return;
    const head = pull.head.sha;
    const place = join(folder, head);
    const address = `${host.url.replace("://", `://ci:${token}@`)}/${owner}/${repo}.git`;
    await run("git", ["clone", "--quiet", "--no-checkout", address, place], folder);
    await run("git", ["fetch", "--quiet", "origin", `refs/pull/${pull.number}/head`], place);
    await run("git", ["-c", "advice.detachedHead=false", "checkout", "--quiet", head], place);
    const { ok, text } = await cairn(["validate"], place);
    await rm(place, { recursive: true });
    await host.ask(token, `POST /repos/${owner}/${repo}/check-runs`, {
      name: CHECK,
      head_sha: head,
      status: "completed",
      conclusion: ok ? "success" : "failure",
      output: { title: CHECK, summary: text },
    });
    say(`CI ran \`cairn validate\` on #${pull.number}: ${ok ? "green" : "red"}. It said:`);
    for (const line of text.split("\n").slice(0, 4)) say(`    ${line}`);
  }

  const server = createServer((request, response) => {
    const isPull = request.headers["x-github-event"] === "pull_request";
    void json(request).then((event) => {
      response.writeHead(202).end();
      // After GitHub is answered, which asks for the checker's own requests one at a time.
      if (isPull) last = last.then(() => check(event as PullRequestEvent)).catch((error) => say(`CI failed: ${error}`));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  host.webhooks.add({ url: `http://127.0.0.1:${port}`, secret: "", events: ["pull_request"] });
  return {
    async close() {
      await last;
      server.closeAllConnections();
      server.close();
    },
  };
}
