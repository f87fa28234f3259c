import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ArchitectService, openArchitectService, toCaller } from "../helpers/architect-service.ts";
import { createLandingAgent } from "../helpers/landing-service.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { startWorker } from "../helpers/worker-process.ts";

const shared = createShared();
const CHANGE = "manifests/workflows/change.yaml";
/** Long enough that no worker loses one on a busy machine. */
const LEASE_SECONDS = 15;
const STEPS = ["plan", "execute", "verify", "gate", "propose"] as const;
/** Moments of a step at which a worker dies: before the service hears of it, while it works, and before the worker hears the end. */
const MOMENTS = ["before", "during", "after"] as const;

let service: ArchitectService;
let tokens: string;

beforeAll(async () => {
  const agent = await createLandingAgent();
  const files = { ...agent, [CHANGE]: `${agent[CHANGE]}leaseSeconds: ${LEASE_SECONDS}\n` };
  const people = { ada: toCaller("ada", "maintainer"), "Bearer wim": toCaller("wim", "maintainer") };
  service = await openArchitectService({ files, people, atEnd: shared.atEnd });
  tokens = await temporaryFolder(shared.atEnd);
  await writeFile(join(tokens, "wim"), "wim\n", { mode: 0o600 });
});
afterAll(shared.undoAll);

/** The service as a worker sees it that dies in a step: `kill` is called at the moment, and nothing goes on after that. */
async function openDoom(step: number, moment: (typeof MOMENTS)[number], kill: () => void): Promise<string> {
  let steps = 0;
  const server = createServer((incoming, outgoing) => {
    const isDoomed = incoming.url?.endsWith("/run_advance") === true && steps++ === step;
    if (isDoomed && moment === "before") return kill();
    const upstream = pass(incoming, outgoing, (answer) => {
      if (isDoomed && moment === "after") return kill();
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    if (isDoomed && moment === "during") upstream.once("finish", kill);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  shared.atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, answered: (answer: IncomingMessage) => void) {
  const { method, headers, url = "" } = incoming;
  const upstream = request(service.service.url + url, { method, headers }, answered);
  upstream.on("error", () => outgoing.destroy());
  outgoing.on("close", () => upstream.destroy());
  return incoming.pipe(upstream);
}

const diffOf = (path: string, line: string) =>
  `Apply this diff:\n\n\`\`\`diff\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n\`\`\`\n`;

const call = async (tool: string, input: object) =>
  (await service.post("ada", `/agent/1.0.0/api/tools/${tool}`, input)).body;

/** Two workers that compete for one task, of which the one that has it dies at a moment of a step. */
async function compete(step: number, moment: (typeof MOMENTS)[number]) {
  const name = `${STEPS[step]}-${moment}`;
  const asked = { title: name, objective: diffOf(`docs/${name}.md`, name), workflow: "change", requires: [name] };
  const { task_id } = await call("task_create", asked);
  const own = ["--token-file", join(tokens, "wim"), "--capability", name];
  const doom = await openDoom(step, moment, () => void dying.child.kill("SIGKILL"));
  const dying = startWorker(doom, [...own, "--id", `dying-${name}`], shared.atEnd);
  await dying.said(/claimed task/, 60_000);
  const living = startWorker(service.service.url, [...own, "--id", `living-${name}`], shared.atEnd);
  expect(await dying.ended).toBe("SIGKILL");
  // A lease has to end first, and five changes land one after the other.
  const status = await vi.waitFor(
    async () => {
      const body = await call("task_status", { task_id });
      expect([body.status, body.run.proposal?.state]).toEqual(["completed", "landed"]);
      return body;
    },
    { timeout: 200_000, interval: 200 },
  );
  living.child.kill("SIGTERM");
  await living.ended;
  return { name, run: status.run, attempts: status.attempts };
}

describe("of two workers that compete for a task", { timeout: 300_000 }, () => {
  test.for(MOMENTS)("one dies %s each step, and the other lands the change once", async (moment) => {
    const ends = await Promise.all(STEPS.map((_, step) => compete(step, moment)));
    const history = await service.origin.git("log", "--format=%B", "main");
    for (const [step, { name, run, attempts }] of ends.entries()) {
      expect([name, history.split(`Cairn-Work: ${run.run_id}`).length - 1]).toEqual([name, 1]);
      expect([name, await service.origin.git("show", `main:docs/${name}.md`)]).toEqual([name, name]);
      // What was handed over goes on without a worker; until then, the other one does all of it anew. Of a call that is cut off
      // while it works, either may be: it is handed over or not.
      const [handedOver, anew] = [
        [name, 1, `dying-${name}`],
        [name, 2, `living-${name}`],
      ];
      const isProposal = STEPS[step] === "propose";
      const possible = [
        ...(isProposal && moment !== "before" ? [handedOver] : []),
        ...(isProposal && moment === "after" ? [] : [anew]),
      ];
      expect(possible).toContainEqual([name, attempts, run.worker_id]);
    }
  });
});
