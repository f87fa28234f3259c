/**
 * The load where there is no wrk: `node node-load.ts <plan.json>`, where the plan also says how many connections, how many
 * seconds, and the first key. It needs more CPU for each request than wrk, so fast servers look slower than they are.
 */
import { readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { KEY, type Plan, toKey } from "./plan.ts";

interface Task extends Plan {
  readonly connections: number;
  readonly seconds: number;
  readonly first: number;
}

const { url, requests, needle, connections, seconds, first }: Task = JSON.parse(
  readFileSync(process.argv[2] ?? "", "utf8"),
);
const { hostname, port, pathname } = new URL(url);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const latencies: number[] = [];
let [at, count, wrong, failed, sample] = [0, first, 0, 0, ""];

const began = performance.now();
const end = began + seconds * 1_000;
await Promise.all(Array.from({ length: connections }, work));
const duration = (performance.now() - began) * 1_000;
const sorted = latencies.toSorted((one, other) => one - other);
const percentile = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 1_000);
const { user, system } = process.cpuUsage();
const figures = [
  latencies.length,
  Math.round(duration),
  percentile(0.5),
  percentile(0.99),
  wrong,
  failed,
  user + system,
];
process.stdout.write(`RESULT ${figures.join(" ")}\nSAMPLE ${sample.replaceAll(/[\r\n]/g, " ")}\n`);
agent.destroy();

async function work(): Promise<void> {
  while (performance.now() < end) {
    const sent = performance.now();
    try {
      const { status, text } = await post();
      latencies.push(performance.now() - sent);
      if (status === 200 && text.includes(needle)) continue;
      wrong += 1;
      sample ||= text.slice(0, 300);
    } catch {
      failed += 1;
    }
  }
}

function post(): Promise<{ status: number; text: string }> {
  const planned = requests[at++ % requests.length];
  if (planned === undefined) throw new Error("The plan has no requests.");
  const body = planned.body.includes(KEY) ? planned.body.replace(KEY, toKey((count += 1))) : planned.body;
  const headers = { ...planned.headers, "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const options = { agent, hostname, port, path: planned.path ?? pathname, method: "POST", headers };
    const sending = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on("error", reject);
    });
    sending.on("error", reject);
    sending.end(body);
  });
}
