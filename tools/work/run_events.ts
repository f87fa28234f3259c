import type { Handler, RunEvent } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly from: number;
  readonly limit: number;
  readonly wait: number;
  readonly follow: boolean;
}

const ENDED = new Set(["completed", "failed", "lost", "released", "cancelled", "rejected"]);

const runEvents: Handler<Input> = async ({ run_id, from, limit, wait, follow }, ctx) => {
  const until = ctx.now() + wait;
  const events: RunEvent[] = [];
  let next = from;
  let { status } = await ctx.work.runs.get(run_id);
  for (;;) {
    const left = ENDED.has(status) ? 0 : Math.max(0, until - ctx.now());
    const found = await ctx.work.runs.events(run_id, { from: next, limit: limit - events.length, wait: left });
    for (const one of found) {
      events.push(one);
      next = one.seq + 1;
      if (follow) ctx.progress(next, undefined, JSON.stringify({ seq: one.seq, ...one.event }));
    }
    ({ status } = await ctx.work.runs.get(run_id));
    const isDone = !follow || found.length === 0 || events.length >= limit || ENDED.has(status);
    if (isDone)
      return { run_id, status, events: events.map(({ seq, hash, event }) => ({ seq, hash, ...event })), next };
  }
};

export default runEvents;
