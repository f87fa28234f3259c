import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Pull } from "../stand-ins/github/state.ts";
import { type ArchitectGitHub, CI } from "./architect-github.ts";
import type { AtEnd } from "./temporary.ts";

export type Verdict = "success" | "failure" | "neutral";

/** Says of a commit how the outside check came out, or that it has begun. */
export async function reportCi({ host }: ArchitectGitHub, head: string, verdict?: Verdict, name = CI): Promise<void> {
  const { owner, repo } = host.state;
  const { token } = host.credentials.issueInstallationToken();
  await host.ask(token, `POST /repos/${owner}/${repo}/check-runs`, {
    name,
    head_sha: head,
    ...(verdict === undefined ? { status: "in_progress" } : { conclusion: verdict }),
  });
}

type StatusVerdict = "success" | "failure";

/** The same in the older form, which need not be an app's. */
async function reportStatus({ host }: ArchitectGitHub, head: string, state: StatusVerdict | "pending"): Promise<void> {
  const { owner, repo } = host.state;
  const token = host.credentials.issueUserToken("ci");
  await host.ask(token, `POST /repos/${owner}/${repo}/statuses/${head}`, { state, context: CI });
}

/** An outside continuous integration, told by webhooks: first it says that it has begun, then how it came out. */
export async function startCi(
  bench: ArchitectGitHub,
  judge: (pull: Pull) => StatusVerdict | Promise<StatusVerdict> = () => "success",
  atEnd: AtEnd = onTestFinished,
): Promise<void> {
  const done = new Set<string>();
  let work: Promise<unknown> = Promise.resolve();
  const check = async () => {
    for (const pull of bench.host.state.pulls) {
      const { headOid } = pull;
      if (pull.state !== "open" || done.has(headOid)) continue;
      done.add(headOid);
      await reportStatus(bench, headOid, "pending");
      await reportStatus(bench, headOid, await judge(pull));
    }
  };
  const server = createServer((request, response) => {
    request.resume();
    response.end();
    work = work.then(check).catch(() => undefined);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  bench.host.webhooks.add({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: "nobody looks",
    events: ["pull_request"],
  });
  atEnd(async () => {
    await work;
    server.closeAllConnections();
    server.close();
  });
}
