import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { tunedAgentFiles } from "../fixtures/tuned-agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const MAX_STATIONS = 12;
const WALKS = ["a call", "a push", "feedback", "a reward"] as const;

const STYLE = `parameters: { tone: { type: categorical, values: [dry, kind, loud], default: dry } }
experiment:
  strategy: { kind: thompson }
  exploration: { share: 1, floor: 0.02 }
  stop: { delta: 0.05, minSamples: 20 }
`;

/** The stations of each walk in AGENTS.md: numbered lines that begin with a file and a function, in backquotes. */
async function readWalks(): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readFile("AGENTS.md", "utf8");
  const sections = text.split(/^### /m).slice(1);
  return new Map(
    WALKS.map((walk) => {
      const section = sections.find((one) => one.toLowerCase().startsWith(`the walk of ${walk}\n`)) ?? "";
      const lines = section.matchAll(/^\d+\. `([\w/.-]+\.ts)` `(\w+)`/gm);
      return [walk, [...lines].map(([, file, name]) => `server/${file} ${name}`)] as const;
    }),
  );
}

test("the four walks of AGENTS.md go through the functions that it names, in its order", async () => {
  const walks = await readWalks();
  for (const stations of walks.values())
    expect([stations.length > 3, stations.length <= MAX_STATIONS]).toEqual([true, true]);
  const folder = await temporaryFolder();
  const [stations, trace] = [join(folder, "stations"), join(folder, "trace")];
  await writeFile(stations, [...new Set([...walks.values()].flat())].join("\n"));
  await writeFile(trace, "");
  const repository = await createRepository();
  await repository.release("1.0.0", tunedAgentFiles({ version: "1.0.0", style: STYLE }));
  const origin = join(folder, "origin.git");
  await repository.git("clone", "--quiet", "--bare", repository.path, origin);
  const environment = {
    CAIRN_FORGE: "local",
    NODE_OPTIONS: `--import ${resolve("test/walks/trace-functions.ts")}`,
    WALK_STATIONS: stations,
    WALK_TRACE: trace,
  };
  const cairn = await startCairn(["serve", origin, "--data", join(folder, "data")], environment);

  /** What is called while something happens, each function at its first time. */
  async function follow(act: () => Promise<void>): Promise<readonly string[]> {
    await writeFile(trace, "");
    await act();
    return [...new Set((await readFile(trace, "utf8")).split("\n"))];
  }
  const post = async (path: string, body: object) => {
    const accept = path.includes("runner") ? "application/json, text/event-stream" : "application/json";
    const headers = { "content-type": "application/json", accept };
    const response = await fetch(`${cairn.url}/agent/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const params = { name: "runner.get", arguments: {} };
  let conversation = "";
  const acts: Record<(typeof WALKS)[number], () => Promise<void>> = {
    "a call": async () => {
      const answer = await post("1.0.0/runner", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
      [, conversation = ""] = /"conversation_id":"([^"]+)"/.exec(JSON.stringify(answer.body)) ?? [];
      expect(conversation).not.toBe("");
    },
    "a push": async () => {
      await repository.release("1.0.1", tunedAgentFiles({ version: "1.0.1", style: STYLE, parent: "1.0.0" }));
      await repository.git("push", "--quiet", origin, "main", "--tags");
      await eventually(async () => expect((await fetch(`${cairn.url}/versions/1.0.1`)).status).toBe(200));
    },
    feedback: async () => {
      const answer = await post("1.0.1/architect/chat", { message: "Set tone to kind" });
      expect(answer.body).toMatchObject({ result: "committed" });
    },
    "a reward": async () => {
      const answer = await post("1.0.0/api/tools/tuner.bandit_reward", { conversation_id: conversation, reward: 1 });
      expect(answer.status).toBe(200);
    },
  };
  for (const walk of WALKS) {
    const called = await follow(acts[walk]);
    const named = walks.get(walk) ?? [];
    expect([walk, called.filter((station) => named.includes(station))]).toEqual([walk, named]);
  }
});
