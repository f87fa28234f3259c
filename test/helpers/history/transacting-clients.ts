import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentTool } from "../agent.ts";
import type { Step, Transaction } from "./check-history.ts";

/** Milliseconds that a handler may take; a node that dies in the middle holds its idempotency keys for half a minute longer. */
const TOOL_MS = 5_000;
const EFFECTS = `sideEffect: true\nidempotent: false\nuses: [state.read, state.write]\nlimits: { time: ${TOOL_MS} }`;
const SAVINGS = 100;

/** Tools by which clients make a history. */
export const TRANSACTING_TOOLS: Readonly<Record<string, AgentTool>> = {
  transact: {
    handler: `export default async ({ steps }, ctx) => {
      const reads = [];
      for (const { key, append } of steps) {
        const list = (await ctx.state.get(["list", key])) ?? [];
        if (append === undefined) reads.push(list);
        else await ctx.state.set(["list", key], [...list, append]);
      }
      return { reads };
    };\n`,
    manifest: EFFECTS,
  },
  transfer: {
    handler: `export default async ({ from, to, amount }, ctx) => {
      const [has, gets] = [(await ctx.state.get(["savings", from])) ?? ${SAVINGS}, (await ctx.state.get(["savings", to])) ?? ${SAVINGS}];
      if (has < amount) return { moved: 0 };
      await ctx.state.set(["savings", from], has - amount);
      await ctx.state.set(["savings", to], gets + amount);
      return { moved: amount };
    };\n`,
    manifest: EFFECTS,
  },
  list: {
    handler: `export default async ({ kind }, ctx) => {
      return { found: (await ctx.state.scan([kind])).map(({ key, value }) => [key[1], value]) };
    };\n`,
    manifest: "uses: [state.read]\nsideEffect: false",
  },
};

/** Keys that transactions choose from at a time, and appends to one before another takes its place. */
const KEYS = 48;
const APPENDS = 40;
const ACCOUNTS = 12;
/** Milliseconds after which a call that has no answer hangs: its tool's time, waits for the store and a busy machine. */
const HANGS_MS = 40_000;
/** Errors that say that nothing happened. */
const REFUSALS: ReadonlySet<string> = new Set(["CONFLICT", "TIME_LIMIT", "RATE_LIMITED"]);
/** How a call may end whose outcome nobody knows. */
const DOUBTS: ReadonlySet<string> = new Set(["UNAVAILABLE", "no answer"]);

export interface Clients {
  /** Waits until all have done their last call, and asks again for those of which nobody knows what became. */
  stop(): Promise<readonly Transaction[]>;
  /** Counts of how calls ended. */
  readonly ends: ReadonlyMap<string, number>;
  /** Milliseconds of the longest call. */
  readonly longest: () => number;
}

interface Place {
  /** Of a balancer before the nodes. */
  readonly url: string;
  readonly token: string;
}

/** Starts clients who transact all the time, each one call after the other. */
export function startClients(place: Place, count: number): Clients {
  const ends = new Map<string, number>();
  const history: (Transaction & { readonly again?: () => Promise<Transaction> })[] = [];
  const over = new AbortController();
  let longest = 0;
  let value = 0;

  async function call(tool: string, input: object, key: string | undefined): Promise<Answer> {
    const begun = performance.now();
    const answer = await callTool(place, tool, input, key);
    longest = Math.max(longest, performance.now() - begun);
    ends.set(answer.end, (ends.get(answer.end) ?? 0) + 1);
    return answer;
  }

  function chooseSteps(): readonly Wanted[] {
    return Array.from({ length: 1 + randomInt(3) }, () => {
      // Whoever has appended often enough to the oldest key goes on with a new one.
      const key = `k${Math.floor(value / (KEYS * APPENDS)) * KEYS + randomInt(KEYS)}`;
      return randomInt(2) === 0 ? { key } : { key, append: (value += 1) };
    });
  }

  /** One transaction, asked for again under its key, if it has one, as long as nobody knows what became of it. */
  async function transact(tries: number, steps = chooseSteps(), key = toKey(), begun = performance.now()) {
    let answer: Answer = { end: "no answer" };
    for (let left = key === undefined ? 1 : tries; left > 0 && DOUBTS.has(answer.end); left -= 1) {
      answer = await call("transact", { steps }, key);
    }
    const one = { id: `t${history.length}`, begun, ended: performance.now(), ...toOutcome(steps, answer) };
    return one;
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      if (randomInt(8) === 0) {
        const [from, to] = [randomInt(ACCOUNTS), randomInt(ACCOUNTS - 1)];
        const amount = 1 + randomInt(SAVINGS);
        await call("transfer", { from, to: to < from ? to : to + 1, amount }, toKey());
        continue;
      }
      const [steps, key, begun] = [chooseSteps(), toKey(), performance.now()];
      const one = await transact(1 + randomInt(3), steps, key, begun);
      const isOpen = one.outcome === "unknown" && key !== undefined;
      history.push(isOpen ? { ...one, again: () => transact(20, steps, key, begun) } : one);
    }
  }

  const running = Array.from({ length: count }, run);
  return {
    ends,
    longest: () => longest,
    async stop() {
      over.abort();
      await Promise.all(running);
      const ended: Transaction[] = [];
      const left = history.values();
      const settle = async () => {
        for (const { again, ...one } of left)
          ended.push(again === undefined ? one : { ...(await again()), id: one.id });
      };
      await Promise.all(Array.from({ length: count }, settle));
      return ended;
    },
  };
}

/** Reads everything that the tools have kept. */
export async function readKept(
  place: Place,
): Promise<{ readonly lists: ReadonlyMap<string, readonly number[]>; readonly savings: number }> {
  const read = async (kind: string) => {
    const { end, output } = await callTool(place, "list", { kind }, undefined);
    if (end !== "done") throw new Error(`What was kept cannot be read: ${end}`);
    return (output as { found: [string, unknown][] }).found;
  };
  const accounts = await read("savings");
  return {
    lists: new Map((await read("list")) as [string, number[]][]),
    savings: accounts.reduce((sum, [, has]) => sum + Number(has) - SAVINGS, 0),
  };
}

type Wanted = { readonly key: string; readonly append?: number };

interface Answer {
  /** `done`, the name of an error, or `no answer`. */
  readonly end: string;
  readonly output?: unknown;
}

async function callTool(place: Place, tool: string, input: object, key: string | undefined): Promise<Answer> {
  const signal = AbortSignal.timeout(HANGS_MS);
  const answer = await send(place, tool, input, key, signal).catch((): Answer => ({ end: "no answer" }));
  // Clients who are refused come back in a moment, not at once.
  if (answer.end !== "done") await sleep(50 + randomInt(100));
  return signal.aborted ? { end: "hangs" } : answer;
}

async function send(
  { url, token }: Place,
  tool: string,
  input: object,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${url}/agent/1.0.0/api/tools/runner.${tool}`, {
    method: "POST",
    headers: { ...headers, ...(key !== undefined && { "idempotency-key": key }) },
    body: JSON.stringify(input),
    signal,
  });
  const body = (await response.json()) as { readonly name?: string };
  return response.ok ? { end: "done", output: body } : { end: body.name ?? String(response.status) };
}

/** Every fourth call has no idempotency key. */
function toKey(): string | undefined {
  return randomInt(4) === 0 ? undefined : randomUUID();
}

function toOutcome(wanted: readonly Wanted[], { end, output }: Answer): Pick<Transaction, "steps" | "outcome"> {
  const reads = end === "done" ? (output as { reads: number[][] }).reads.values() : undefined;
  const steps = wanted.flatMap(({ key, append }): Step[] => {
    if (append !== undefined) return [{ key, append }];
    const read = reads?.next().value;
    return read === undefined ? [] : [{ key, read }];
  });
  return { steps, outcome: end === "done" ? "done" : REFUSALS.has(end) ? "refused" : "unknown" };
}
