import { Agent, request } from "node:http";
import { readdirSync, readFileSync } from "node:fs";
import type { AtEnd } from "./temporary.ts";
import { eventually } from "./eventually.ts";

/** An answer over a connection that stays with one worker. */
export interface WorkerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A connection to one worker, which the kernel chose. */
export interface WorkerConnection {
  /** Beginning of the ids of sessions that the worker has. */
  readonly worker: string;
  send(
    path: string,
    init: { readonly body: object; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<WorkerAnswer>;
}

/** Opens a connection to each of two workers, by opening connections until both have one. `path` leads to a server with sessions. */
export async function connectBoth(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  atEnd: AtEnd,
): Promise<readonly [WorkerConnection, WorkerConnection]> {
  const found = new Map<string, WorkerConnection>();
  const [one, other] = await eventually(async () => {
    const connection = connect(url, headers, atEnd);
    const { worker } = await begin(connection.send, path);
    found.set(worker, { worker, send: connection.send });
    const [first, second] = [...found.values()].toSorted((a, b) => a.worker.localeCompare(b.worker));
    if (first === undefined || second === undefined) throw new Error("One worker has no connection yet.");
    return [first, second] as const;
  });
  return [one, other];
}

/** Begins a session: the whole id, and the worker that has it. */
export async function begin(
  send: WorkerConnection["send"],
  path: string,
): Promise<{ readonly id: string; readonly worker: string }> {
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo };
  const { headers, text } = await send(path, { body: { jsonrpc: "2.0", id: 1, method: "initialize", params } });
  const id = headers["mcp-session-id"];
  if (typeof id !== "string") throw new Error(`No session: ${text}`);
  return { id, worker: id.split(".")[0] ?? "" };
}

function connect(url: string, own: Readonly<Record<string, string>>, atEnd: AtEnd): Pick<WorkerConnection, "send"> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  atEnd(async () => agent.destroy());
  return {
    send: (path, { body, headers = {} }) =>
      new Promise((resolve, reject) => {
        const all = {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...own,
          ...headers,
        };
        const sending = request(new URL(path, url), { agent, method: "POST", headers: all }, (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
          response.on("error", reject);
        });
        sending.on("error", reject).end(JSON.stringify(body));
      }),
  };
}

/** Finds the processes that a process has started and that still run, by their ids. */
export function findChildren(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const [, , ppid] = /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
        return Number(ppid) === parent;
      } catch {
        // It has ended between the two.
        return false;
      }
    })
    .map(Number);
}
