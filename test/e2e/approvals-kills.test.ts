import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createApprovingAgent } from "../helpers/approving-agent.ts";
import { type RunningCairn, runCairn, startCairn } from "../helpers/cairn.ts";
import type { KillOrder } from "../helpers/mortal/kill-points.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const PRELOAD = resolve("test/helpers/mortal/preload.ts");
const AMOUNT = 5000;
const isLong = process.env["CAIRN_LONG"] !== undefined;

/** A moment at which the service dies: after so many points that begin so. */
interface Moment {
  readonly lives: number;
  readonly of: string;
}

/** Just when the approval is kept, and just when the call is about to run. */
const MOMENTS: readonly Moment[] = [
  { lives: 0, of: "commit" },
  { lives: 0, of: "claim approved-call" },
];

/** Every commit and claim, one after the other. */
function* everywhere(): Generator<Moment> {
  for (let lives = 0; ; lives += 1) yield { lives, of: "c" };
}

const shared = createShared();
let repository: string;
beforeAll(async () => {
  repository = (await createApprovingAgent(shared.atEnd)).path;
});
afterAll(shared.undoAll);

interface Handle {
  readonly task_id: string;
  readonly run_id: string;
  readonly outcome: string;
}

async function call(url: string, token: string, tool: string, input: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/agent/1.0.0/api/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return (await response.json()) as Record<string, unknown>;
}

async function createToken(data: string, actor: string, ...roles: string[]): Promise<string> {
  const args = [
    "token",
    "create",
    "--data",
    data,
    "--tenant",
    "t",
    "--actor",
    actor,
    "--scopes",
    "*",
    "--roles",
    roles.join(","),
  ];
  const made = await runCairn(args);
  expect([made.code, made.stderr]).toEqual([0, expect.anything()]);
  return made.stdout.trim();
}

describe("an approved call whose service is killed with -9", () => {
  test("runs once, wherever between the approval and its end that was", { timeout: 600_000 }, async () => {
    let survived = false;
    for (const { lives, of } of isLong ? everywhere() : MOMENTS) {
      const folder = await temporaryFolder(shared.atEnd);
      const data = join(folder, "data");
      const [ann, tom] = [
        await createToken(data, "ann", "clerk"),
        await createToken(data, "tom", "clerk", "treasurer"),
      ];
      const [armed, journal] = [join(folder, "armed"), join(folder, "journal")];
      await writeFile(journal, "");
      const order: KillOrder = {
        CAIRN_TEST_LIVES: String(lives),
        CAIRN_TEST_POINTS: of,
        CAIRN_TEST_ARMED: armed,
        CAIRN_TEST_JOURNAL: journal,
      };
      const args = ["serve", repository, "--data", data];
      const environment = { CAIRN_AUTH: "tokens" };
      const mortal = { ...environment, ...order, NODE_OPTIONS: `--import=${PRELOAD}` };
      let cairn: RunningCairn = await startCairn(args, mortal, shared.atEnd);
      const asked = await call(cairn.url, ann, "bank.transfer", { amount: AMOUNT });
      const { task_id, run_id, outcome } = asked["details"] as Handle;
      await writeFile(armed, "");
      const decision = { task_id, run_id, approver: "Tom", reason: "It is due.", decision: "approved" };
      const approve = ["work", "approve", task_id, run_id, "--reason", "It is due.", "--approver", "Tom"];
      await runCairn([...approve, "--url", cairn.url], { environment: { CAIRN_TOKEN: tom } });
      const look = async () => {
        const response = await fetch(cairn.url + outcome, { headers: { authorization: `Bearer ${ann}` } });
        return (await response.json()) as Record<string, unknown>;
      };
      const isDone = await vi
        .waitFor(async () => expect((await look())["status"]).toBe("completed"), { timeout: 5_000, interval: 50 })
        .then(
          () => true,
          () => false,
        );
      survived = isDone && (await cairn.stop()) === 0;
      const points = (await readFile(journal, "utf8")).trimEnd().split("\n");
      if (survived) break;

      cairn = await startCairn(args, environment, shared.atEnd);
      // What was leased to the dead process is claimed when its lease has run out.
      await vi.waitFor(
        async () => {
          const { status } = await look();
          // The approval itself may not have been kept.
          if (status === "waiting") await call(cairn.url, tom, "approval_write", decision);
          expect([status, points.at(-1)]).toEqual(["completed", points.at(-1)]);
        },
        { timeout: 60_000, interval: 200 },
      );
      expect([(await call(cairn.url, ann, "bank.transfer", { amount: 0 }))["balance"], points.at(-1)]).toEqual([
        AMOUNT,
        points.at(-1),
      ]);
      await cairn.stop();
    }
    expect(survived).toBe(isLong);
  });
});
