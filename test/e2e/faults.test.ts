import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { createPreloadedNode } from "../helpers/preloaded-node.ts";
import { createRepository } from "../helpers/repository.ts";
import { openSmallDisk } from "../helpers/small-disk.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const COUNT = {
  handler: `export default async (input, ctx) => {
    const key = ["count", input.counter];
    const n = ((await ctx.state.get(key)) ?? 0) + (input.by ?? 1);
    await ctx.state.set(key, n);
    await ctx.state.set(["pad", input.counter], "x".repeat(input.pad ?? 0));
    return { n };
  };\n`,
  manifest: `sideEffect: true
uses: [state.read, state.write]
input: { type: object, required: [counter], properties: { counter: { type: integer }, by: { type: integer }, pad: { type: integer } } }
output: { type: object, required: [n], properties: { n: { type: integer } } }`,
};

async function createAgent(): Promise<string> {
  const repository = await createRepository();
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { count: COUNT } }));
  return repository.path;
}

async function count(
  url: string,
  input: object,
): Promise<{ status: number; n: number; retryAfter: string | null; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/agent/1.0.0/api/tools/runner.count`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, n: Number(body["n"]), retryAfter: response.headers.get("retry-after"), body };
}

/**
 * Has a service count under load and kills it in the middle, round after round. After each, `lose` takes from its data what
 * is lost beside the process; then every count that was answered must be there.
 */
async function killUnderLoad(lose: (data: string) => Promise<void>, node?: string): Promise<void> {
  const repository = await createAgent();
  const data = await temporaryFolder();
  const acknowledged = Array.from({ length: 8 }, () => 0);
  const rounds = process.env["CAIRN_LONG"] ? 20 : 3;
  const start = async () => {
    const cairn = await startCairn(["serve", repository, "--data", data], {}, undefined, undefined, node);
    for (const [counter, least] of acknowledged.entries()) {
      const { n } = await count(cairn.url, { counter, by: 0 });
      expect(n).toBeGreaterThanOrEqual(least);
      acknowledged[counter] = n;
    }
    return cairn;
  };
  for (let round = 0; round < rounds; round++) {
    const cairn = await start();
    let answers = 0;
    const clients = acknowledged.map(async (_, counter) => {
      // Ends with the connection, when the service is killed.
      for (;;) {
        const { status, n } = await count(cairn.url, { counter });
        expect([status, n]).toEqual([200, (acknowledged[counter] ?? 0) + 1]);
        acknowledged[counter] = n;
        if (++answers === 200) void cairn.stop("SIGKILL");
      }
    });
    const ends = await Promise.allSettled(clients);
    expect(ends.map((end) => (end.status === "rejected" ? (end.reason as Error).name : "went on"))).toEqual(
      acknowledged.map(() => "TypeError"),
    );
    await cairn.stop("SIGKILL");
    await lose(data);
  }
  await (await start()).stop();
  expect(Math.min(...acknowledged)).toBeGreaterThan(0);
}

describe("the service", () => {
  test("[D7] keeps every acknowledged effect through kill -9 in the middle of load, round after round", async () => {
    await killUnderLoad(async () => {});
  }, 120_000);

  test("[D7] keeps every acknowledged effect through a loss of power, which leaves what was flushed", async (context) => {
    const { program } = await createPreloadedNode(context, "flushed.c");
    const loseUnflushed = async (data: string) => {
      const file = join(data, "store/data.mdb");
      const [written, flushed] = await Promise.all([readFile(file), readFile(`${file}.flushed`)]);
      expect(flushed.length).toBeLessThanOrEqual(written.length);
      await rename(`${file}.flushed`, file);
    };
    await killUnderLoad(loseUnflushed, program);
  }, 120_000);

  test(
    "[D7] [abuse 42] answers 503 while the disk is full, and goes on when there is room again",
    { timeout: 60_000 },
    async (context) => {
      const data = await openSmallDisk(context, 24);
      const { url } = await startCairn(["serve", await createAgent(), "--data", data]);
      expect(await count(url, { counter: 1 })).toMatchObject({ status: 200, n: 1 });
      const ballast = join(data, "ballast");
      mkdirSync(ballast);
      for (let index = 0; ; index++) {
        try {
          writeFileSync(join(ballast, String(index)), Buffer.alloc(64 * 1024));
        } catch {
          break;
        }
      }
      let refused;
      const acknowledged = [1];
      for (let counter = 2; refused === undefined; counter++) {
        const answer = await count(url, { counter, pad: 200_000 });
        if (answer.status === 200) acknowledged.push(counter);
        else refused = answer;
      }
      expect(refused).toMatchObject({ status: 503, retryAfter: "5", body: { name: "UNAVAILABLE" } });
      expect((await fetch(`${url}/versions`)).status).toBe(200);
      rmSync(ballast, { recursive: true });
      for (const counter of acknowledged) expect(await count(url, { counter })).toMatchObject({ status: 200, n: 2 });
      expect(await count(url, { counter: acknowledged.length + 1 })).toMatchObject({ status: 200, n: 1 });
    },
  );
});
