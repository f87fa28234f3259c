import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { runInProcess, startCairn } from "../helpers/cairn.ts";
import { createFuzzRequests, type FuzzRequest } from "../helpers/fuzz-requests.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { anonymousMegabytes } from "../helpers/memory.ts";
import { connectRaw, type RawAnswer, type RawConnection, toBytes } from "../helpers/raw-http.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const LONG = process.env["CAIRN_LONG"] === "1";
const REQUESTS = LONG ? 100_000 : 3_000;
/** Requests after which the engine's heap has the size that it keeps. */
const WARM_UP = LONG ? 40_000 : 1_000;
const BATCH = 25;
const CONNECTIONS = 8;
/** Megabytes that the service's main process may have grown by, once it is warm. */
const GROWTH_LIMIT = 50;
/** Milliseconds after which a request that is not answered hangs. */
const HANG = 15_000;

const REDACTED = "patient-4711-fuzz";
const SECRETS = { model: "model-key-of-the-fuzzer", upstream: "upstream-secret-of-the-fuzzer" };
/** Errors by which a tool says that it failed, rather than Cairn. */
const FAULTS = ["UPSTREAM_ERROR", "OUTPUT_INVALID"];

const TOOLS = {
  echo: {
    handler: "export default (input, ctx) => { ctx.log.info('called'); return { n: Object.keys(input).length }; };\n",
  },
  strict: {
    handler: "export default ({ kind }) => ({ kind });\n",
    manifest: `redact: [/patient]
input:
  type: object
  required: [kind]
  properties:
    patient: { type: string, maxLength: 20 }
    kind: { type: string, enum: [a, b], x-mcp-header: Kind }
    code: { type: string, pattern: "^(A|B)+[0-9]$" }
    list: { type: array, uniqueItems: true, items: { anyOf: [{ type: integer }, { type: object, patternProperties: { "^q": { type: "null" } } }] } }
  unevaluatedProperties: false`,
  },
  count: {
    handler: `export default async (input, ctx) => {
      const n = ((await ctx.state.get(["n"])) ?? 0) + 1;
      await ctx.state.set(["n"], n);
      ctx.log.info("patient", { patient: input.patient });
      return {};
    };\n`,
    manifest:
      "sideEffect: true\nuses: [state.read, state.write]\nredact: [/patient]\ninput: { type: object, properties: { patient: true } }",
  },
  upstream: {
    handler: `export default async (input, ctx) => {
      const { text } = await ctx.fetch("https://held.example/");
      throw ctx.fail("UPSTREAM_ERROR", "upstream said: " + text + " of " + input.patient, { text, patient: input.patient });
    };\n`,
    manifest:
      "uses: [fetch]\negress: [held.example]\nredact: [/patient]\ninput: { type: object, properties: { patient: true } }",
  },
};
const TALKER = {
  "manifests/policies/hosts.yaml": "egress: [held.example]\n",
  "manifests/talker/server.yaml": "name: talker\ndescription: Keeps sessions.\n",
  "manifests/talker/ask.yaml":
    "name: talker.ask\nversion: 1.0.0\ndescription: Could ask.\ninteractive: true\nuses: [elicit]\ninput: { type: object }\noutput: { type: object }\n",
  "tools/talker/ask.ts": "export default () => ({});\n",
};

test(
  `${REQUESTS} hostile requests get an answer each, none of them a 5xx, a secret, or the end of the service`,
  { timeout: 1_800_000 },
  async () => {
    const { seed = 0 } = fc.readConfigureGlobal();
    const shared = createShared();
    const data = await temporaryFolder();
    const upstream = await openUpstream();
    const repository = await createRepository();
    await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS, files: TALKER }));
    const tokens = await Promise.all(
      ["*", "runner", "versions:read,audit:read"].map((scopes) => createToken(data, scopes)),
    );
    const environment = {
      CAIRN_AUTH: "tokens",
      CAIRN_LOG_LEVEL: "debug",
      CAIRN_MODEL_URL: "http://127.0.0.1:1/v1",
      CAIRN_MODEL_NAME: "m",
      CAIRN_MODEL_KEY: SECRETS.model,
      CAIRN_EGRESS_MAP: `held.example=${upstream}`,
    };
    const cairn = await startCairn(["serve", repository.path, "--data", data], environment);
    const [token = ""] = tokens;
    const authorization = `Bearer ${token}`;
    const { id: session } = await openLegacySession(`${cairn.url}/agent/1.0.0/talker`, { headers: { authorization } });
    const needles = [...tokens.map((text) => text.slice(-20)), REDACTED, ...Object.values(SECRETS)];
    const leaksIn = (text: string) => needles.filter((needle) => text.includes(needle));

    const connections: (RawConnection | undefined)[] = Array.from({ length: CONNECTIONS }, () => undefined);
    const send = async (slot: number, request: FuzzRequest): Promise<RawAnswer> => {
      const connection = (connections[slot] ??= await connectRaw(cairn.url, shared.atEnd));
      connection.write(toBytes(cairn.url, request));
      const answer = await inTime(connection.read(request.method === "HEAD"));
      if (answer.headers.get("connection") === "close" || answer.status === 400) {
        connection.close();
        connections[slot] = undefined;
      }
      return answer;
    };
    const statuses = new Map<number, number>();
    const run = (numRuns: number, from: number) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(createFuzzRequests({ version: "1.0.0", tokens, session, redacted: REDACTED }), {
            minLength: BATCH,
            maxLength: BATCH,
          }),
          async (requests) => {
            const waiting = [...requests];
            const work = async (slot: number) => {
              for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
                const sent = request;
                const answer = await send(slot, sent).catch((error: unknown) => {
                  connections[slot]?.close();
                  connections[slot] = undefined;
                  throw new Error(`${show(sent)}\nis not answered: ${String(error)}`);
                });
                statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
                const whole = `${JSON.stringify([...answer.headers])}\n${answer.body}`;
                const isFault = sent.mayFail && FAULTS.some((fault) => answer.body.includes(`"name":"${fault}"`));
                const isWrong = (answer.status >= 500 && !isFault) || answer.body.includes("INTERNAL_ERROR");
                if (isWrong || leaksIn(whole).length > 0) {
                  throw new Error(`${show(sent)}\nis answered with ${answer.status} ${whole}`);
                }
              }
            };
            const ends = await Promise.allSettled(connections.map((_, slot) => work(slot)));
            const failed = ends.find((end) => end.status === "rejected");
            if (failed !== undefined) throw failed.reason;
          },
        ),
        {
          numRuns: Math.ceil(numRuns / BATCH),
          endOnFailure: true,
          seed: from,
          interruptAfterTimeLimit: 1_500_000,
          markInterruptAsFailure: true,
        },
      );

    const scrape = async () => (await fetch(`${cairn.url}/metrics`, { headers: { authorization } })).text();
    const startOf = (metrics: string) => /^process_start_time_seconds .*$/m.exec(metrics)?.[0];
    const heapOf = (metrics: string) => Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]) / 2 ** 20;
    try {
      await run(WARM_UP, seed);
      const started = startOf(await scrape());
      expect(started).toBeDefined();
      // The least that is seen: what is left after collections, of which the engine puts some off.
      const floors = [new Map<string, number>(), new Map<string, number>()];
      for (const [half, floor] of floors.entries()) {
        for (let part = 0; part < 5; part += 1) {
          await run(REQUESTS / 10, seed + 1 + half * 5 + part);
          const sizes = { heap: heapOf(await scrape()), process: await anonymousMegabytes(cairn.pid) };
          for (const [name, size] of Object.entries(sizes)) floor.set(name, Math.min(size, floor.get(name) ?? size));
        }
      }
      process.stdout.write(`fuzz: megabytes ${floors.map((floor) => JSON.stringify([...floor])).join(" then ")}\n`);
      for (const [name, size] of floors[1] ?? []) {
        expect([name, size - (floors[0]?.get(name) ?? 0) < GROWTH_LIMIT]).toEqual([name, true]);
      }
      // Calls that succeed were among them, or nothing was tried.
      expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20);
      const metrics = await scrape();
      expect(startOf(metrics)).toBe(started);
      expect(leaksIn(metrics)).toEqual([]);
      expect(await cairn.stop()).toBe(0);
    } finally {
      await shared.undoAll();
    }
    expect(leaksIn(cairn.output())).toEqual([]);
    expect(cairn.output()).not.toMatch(/"level":"(?:error|fatal)"|unhandled|sandbox process ended/i);
    // Records, audit entries, answers kept under their keys: all that is left behind is in these files.
    const exported = join(await temporaryFolder(), "audit");
    expect((await runInProcess(["audit", "export", exported, "--data", data])).code).toBe(0);
    for (const folder of [data, exported]) {
      for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (file.isFile())
          expect([file.name, leaksIn(await readFile(join(file.parentPath, file.name), "latin1"))]).toEqual([
            file.name,
            [],
          ]);
      }
    }
  },
);

function show({ method, path, headers, body = "" }: FuzzRequest): string {
  return JSON.stringify({ method, path, headers, body: Buffer.from(body as string).toString() }).slice(0, 4000);
}

function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`nothing within ${HANG} ms`)), HANG);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function createToken(data: string, scopes: string): Promise<string> {
  const args = ["--tenant", "acme", "--actor", "ci", "--roles", "*", "--scopes", scopes, "--data", data];
  const { stdout, stderr } = await runInProcess(["token", "create", ...args]);
  if (stdout === "") throw new Error(stderr);
  return stdout.trim();
}

/** An upstream that answers with a credential. */
async function openUpstream(): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(500).end(`password: ${SECRETS.upstream}`));
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
