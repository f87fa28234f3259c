import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startCairn } from "../helpers/cairn.ts";
import { createLandingAgent } from "../helpers/landing-service.ts";
import { type KillGround, type Life, live } from "../helpers/mortal/kill-walk.ts";
import { createLocalGround } from "../helpers/mortal/local-ground.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const isLong = process.env["CAIRN_LONG"] !== undefined;
/** Each takes three starts of a service, and more. */
const SAMPLES = 3;
const MINUTES = 60_000;
const TITLE = "Greet in French, too";
const WORDS = 'export const words: Readonly<Record<string, string>> = { en: "Hello", de: "Hallo"';
const OBJECTIVE = `Apply this diff:

\`\`\`diff
--- a/tools/_lib/words.ts
+++ b/tools/_lib/words.ts
@@ -1 +1 @@
-${WORDS} };
+${WORDS}, fr: "Salut" };
\`\`\`
`;

const { atEnd, undoAll } = createShared();
let openGround: (folder: string) => Promise<KillGround>;

beforeAll(async () => {
  openGround = await createLocalGround(atEnd, await createLandingAgent());
}, 2 * MINUTES);
afterAll(undoAll);

/** Has a run hand its change over, to a service that is killed from then on. */
async function handOver(lives: readonly Life[]) {
  const own = createShared();
  try {
    const folder = await temporaryFolder(own.atEnd);
    const ground = await openGround(folder);
    const run = createWorker();
    const lived = await live(ground, { folder, lives, atEnd: own.atEnd }, async (url, arm) => {
      await run.begin(url);
      await arm();
      return run.finish(url);
    });
    const cairn = await startCairn(ground.args, ground.environment, own.atEnd);
    const status = await run.finish(cairn.url);
    const kinds = await run.listEvents(cairn.url);
    const code = await cairn.stop();
    if (code !== 0) throw new Error(`The service that lives on ended with ${code}:\n${cairn.output()}`);
    return { ...lived, status, kinds, traces: await ground.look() };
  } finally {
    await own.undoAll();
  }
}

function createWorker() {
  let about: { readonly task_id: string; readonly run_id: string } | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any
  async function call(url: string, tool: string, input: object): Promise<any> {
    const response = await fetch(`${url}/agent/1.0.0/api/tools/${tool}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    const body = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(body));
    return body;
  }
  return {
    /** Does all steps but the last one, unless that was in an earlier life. */
    async begin(url: string) {
      if (about !== undefined) return;
      await call(url, "task_create", { title: TITLE, objective: OBJECTIVE, workflow: "change" });
      const { task_id, run_id } = await call(url, "task_claim", { worker_id: "w1" });
      for (const step of ["plan", "execute", "verify", "gate"]) {
        expect(await call(url, "run_advance", { run_id })).toMatchObject({ state: "step", step });
      }
      about = { task_id, run_id };
    },
    /** Goes on as a worker does that still has its lease, until the task has ended. */
    finish(url: string) {
      const { task_id, run_id } = about ?? { task_id: "", run_id: "" };
      let lost = 0;
      return vi.waitFor(
        async () => {
          const body = await call(url, "task_status", { task_id }).catch(() => (lost += 1));
          // Whoever is killed answers no more.
          if (lost > 20) return undefined;
          if (body.status === "running") await call(url, "run_advance", { run_id });
          if (body.status !== "completed") throw new Error(JSON.stringify(body));
          return body;
        },
        { timeout: 2 * MINUTES, interval: 50 },
      );
    },
    async listEvents(url: string): Promise<readonly string[]> {
      const { events } = await call(url, "run_events", { run_id: about?.run_id });
      return (events as readonly { readonly kind: string }[]).map(({ kind }) => kind);
    },
  };
}

describe("a run whose change lands while its service is killed", () => {
  test("ends once, wherever that was", { timeout: (isLong ? 120 : 10) * MINUTES }, async () => {
    const whole = await handOver([{ lives: Infinity }]);
    expectOnce(whole);
    const count = whole.points[0]?.length ?? 0;
    expect(count).toBeGreaterThan(80);
    // First where the run is handed over: its worker gets no answer, and asks again.
    const early = [0, 1, 2, 3].map((lives) => ({ lives }));
    const every = isLong ? 1 : Math.ceil(count / SAMPLES);
    const later = Array.from({ length: Math.floor(count / every) }, (_, at) => ({ lives: (at + 1) * every - 1 }));
    for (const life of [...(isLong ? early : early.slice(1, 2)), ...later]) {
      const second = life.lives % 2 === 0 ? [] : [{ lives: (life.lives * 7) % count }];
      expectOnce(await handOver([life, ...second]));
    }
  });

  // Just when the repository has been changed, and nobody has heard of it.
  test.each(["its branch is made", "it has landed", "it is tagged"])(
    "ends once when that was as soon as %s",
    { timeout: 5 * MINUTES },
    async (what) => {
      const lives = ["its branch is made", "it has landed", "it is tagged"].indexOf(what);
      expectOnce(await handOver([{ lives, of: "ended git --bare update-ref" }]));
    },
  );
});

function expectOnce({ points, status, kinds, traces }: Awaited<ReturnType<typeof handOver>>): void {
  const where = points.map((reached) => `${reached.length}. ${reached.at(-1)}`).join("; then ");
  expect(status.run, where).toMatchObject({
    status: "completed",
    attempt: 1,
    proposal: { state: "live", version: "1.0.1" },
  });
  expect(
    kinds.filter((kind) => kind === "proposal.verifying" || kind === "proposal.live" || kind === "run.completed"),
    where,
  ).toEqual(["proposal.verifying", "proposal.live", "run.completed"]);
  expect(traces, where).toEqual({
    branches: ["refs/heads/main"],
    tags: ["refs/tags/v1.0.0", "refs/tags/v1.0.1"],
    landed: [TITLE],
    versions: ["1.0.0", "1.0.1"],
    open: [],
    // The commits of a run can be looked at as long as its records.
    leftovers: [`refs/cairn/runs/${status.run.run_id}`],
  });
}
