import { randomInt, randomUUID } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import type { CommitPlan } from "../commit-plan.ts";
import type { Claimed, CommitResult } from "../store.ts";
import { type Connection, insist, type Query } from "./connection.ts";
import { toTrouble, toUnavailable } from "./errors.ts";
import { findClaimable } from "./find-claimable.ts";
import { type Group, type Outcome, performGroup, type Work } from "./perform-group.ts";
import { REVS_PER_GROUP, STATEMENTS } from "./statements.ts";

export interface ClaimRequest {
  readonly queue: Buffer;
  /** The one entry that is wanted; absent: any. */
  readonly key: Buffer | undefined;
  readonly leaseMs: number;
  readonly limit: number;
}

/** The one way of writes to the database: groups of them, one group after the other. */
export interface Lane {
  commit(plan: CommitPlan): Promise<CommitResult>;
  claim(request: ClaimRequest): Promise<readonly Claimed[]>;
  /** Runs `work` between groups, which must not begin a transaction. */
  between<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  /** Takes no more; what is on its way goes on until its time is over. */
  stop(): void;
}

export interface LaneOptions extends Pick<
  Group,
  "onTime" | "lock" | "assertHolder" | "knownTurns" | "assertKept" | "toHint"
> {
  readonly connection: Connection;
  /** Milliseconds for one call. */
  readonly limitMs: number;
  readonly now: () => number;
  /** Hears of each transaction that the server acknowledged. */
  readonly onAcknowledged: (turn: string) => void;
  /** Returns what the server has warned of since it was last asked. */
  readonly takeWarning: () => string | undefined;
}

/** Times that a group is begun anew because of what other nodes did meanwhile. */
const MAX_REDOS = 20;
const LONGEST_PAUSE_MS = 20;
/** Works of one group, each of which may take a revision. */
const MAX_WORKS = REVS_PER_GROUP / 2;
/** Bytes of values after which a group is full. */
const GROUP_BYTES = 8 * 1024 * 1024;
const DOUBT = ", so it is unknown whether the call had an effect";
/** Milliseconds before another try when the server is away. */
const AWAY_MS = 50;

interface Job {
  readonly ask: { readonly plan: CommitPlan } | ClaimRequest;
  readonly bytes: number;
  readonly resolve: (result: CommitResult | readonly Claimed[]) => void;
  readonly reject: (error: unknown) => void;
  isOver: boolean;
}

/**
 * Creates the lane. Calls that arrive while a group is under way make the next one, so that more callers cost no more
 * transactions. A call has its answer when the server has acknowledged its group, or has an error within its time.
 */
export function createLane(options: LaneOptions): Lane {
  const { limitMs } = options;
  const jobs: Job[] = [];
  const chores: (() => Promise<void>)[] = [];
  let isRunning = false;
  let isStopped = false;

  async function run(): Promise<void> {
    // Whatever this turn of the event loop asks for is one group.
    await nextTurn();
    while (jobs.length + chores.length > 0) {
      const chore = chores.shift();
      await (chore === undefined ? runGroup(options, takeGroup(jobs), () => isStopped) : chore());
    }
    isRunning = false;
  }

  function start(): void {
    if (isRunning) return;
    isRunning = true;
    void run();
  }

  function add(ask: Job["ask"], bytes: number): Promise<CommitResult | readonly Claimed[]> {
    const { promise, resolve, reject } = Promise.withResolvers<CommitResult | readonly Claimed[]>();
    const late = setTimeout(() => end(job, () => reject(toLate(limitMs, DOUBT))), limitMs);
    const job: Job = {
      ask,
      bytes,
      resolve: (result) => end(job, () => resolve(result)),
      reject: (error) => end(job, () => reject(error)),
      isOver: false,
    };
    const end = (one: Job, settle: () => void) => {
      clearTimeout(late);
      one.isOver = true;
      settle();
    };
    jobs.push(job);
    start();
    return promise;
  }

  return Object.freeze<Lane>({
    commit: async (plan) => (await add({ plan }, sizeOf(plan))) as CommitResult,
    claim: async (request) => (await add(request, 0)) as readonly Claimed[],
    between<Result>(work: (query: Query) => Promise<Result>) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      chores.push(() => options.connection.use(work).then(resolve, reject));
      start();
      return promise;
    },
    stop: () => void (isStopped = true),
  });
}

/** The error of a call that got no answer in time; a write may have happened all the same. */
export function toLate(limitMs: number, doubt = ""): CairnError {
  return new CairnError("UNAVAILABLE", `The database of the store did not answer within ${limitMs / 1_000} s${doubt}.`);
}

function sizeOf({ sets, appends }: CommitPlan): number {
  return [...sets.map(({ body }) => body.length), ...appends.map(({ entry }) => entry.length)].reduce(
    (sum, size) => sum + size,
    0,
  );
}

function takeGroup(jobs: Job[]): readonly Job[] {
  let bytes = 0;
  let count = 0;
  for (const job of jobs) {
    bytes += job.bytes;
    if (count === MAX_WORKS || (count > 0 && bytes > GROUP_BYTES)) break;
    count++;
  }
  return jobs.splice(0, count);
}

/** Brings a group to its end, whatever happens to the connection: each job is settled, by this or because its time is over. */
async function runGroup(options: LaneOptions, group: readonly Job[], isStopped: () => boolean): Promise<void> {
  for (let redos = 0; redos <= MAX_REDOS;) {
    const jobs = group.filter((job) => !job.isOver);
    if (jobs.length === 0) return;
    const turn = randomUUID();
    let promised: readonly Outcome[] | undefined;
    try {
      const onCommitting = (outcomes: readonly Outcome[]) => {
        options.takeWarning();
        promised = outcomes;
      };
      const outcomes = await attempt(options, jobs, { turn, onCommitting });
      if (outcomes !== undefined) return acknowledge(options, jobs, outcomes, promised && turn);
      redos++;
    } catch (error) {
      const trouble = error instanceof CairnError ? "refused" : toTrouble(error);
      if (trouble === "refused") return refuse(options, jobs, error, isStopped);
      if (trouble === "away" && promised !== undefined) {
        const isDone = await isCommitted(options, turn, isStopped).catch((unknown: unknown) => {
          for (const { reject } of jobs) reject(toUnavailable("learn whether it wrote", unknown));
        });
        if (isDone === true) return acknowledge(options, jobs, promised, turn);
      } else if (trouble === "away") await sleep(AWAY_MS);
      else redos++;
    }
    if (redos > 0) await sleep(randomInt(LONGEST_PAUSE_MS));
  }
  const contended = new CairnError("UNAVAILABLE", "The store could not write: others changed the same rows too often.");
  for (const { reject } of group) reject(contended);
}

async function attempt(
  { connection, now, ...options }: LaneOptions,
  jobs: readonly Job[],
  group: Pick<Group, "turn" | "onCommitting">,
): Promise<readonly Outcome[] | undefined> {
  return connection.use(async (query) => {
    const claims = jobs.flatMap(({ ask }) => ("plan" in ask || ask.key !== undefined ? [] : [ask]));
    const found = await findClaimable(query, claims, now());
    const works = jobs.map(({ ask }): Work => {
      if ("plan" in ask) return { kind: "commit", plan: ask.plan };
      return {
        kind: "claim",
        found: ask.key === undefined ? found(ask.queue) : [ask.key],
        leaseMs: ask.leaseMs,
        limit: ask.limit,
      };
    });
    // Workers that wait for work ask often, and need no transaction to hear that there is none.
    if (works.every((work) => work.kind === "claim" && work.found.length === 0)) {
      return works.map(() => ({ result: [] }));
    }
    return performGroup(query, { ...options, works, ...group });
  });
}

/**
 * Learns what became of a transaction whose connection broke during its commit: it has written its turn, and then this
 * cannot; or this has, and then it never can. A transaction that the server still holds open is waited for. The row says which:
 * this may have written it by a statement whose answer was lost.
 */
async function isCommitted({ connection }: LaneOptions, turn: string, isStopped: () => boolean): Promise<boolean> {
  const settle = () =>
    connection.use(async (query) => {
      await query(STATEMENTS.settleTurn, [turn]);
      return query(STATEMENTS.findTurns, [[turn]]);
    });
  const { rows } = await insist(settle, isStopped);
  return rows.length > 0;
}

/** Answers the jobs of a group that the server acknowledged; without a turn it had nothing to write. */
function acknowledge(
  { onAcknowledged, takeWarning }: LaneOptions,
  jobs: readonly Job[],
  outcomes: readonly Outcome[],
  turn: string | undefined,
): void {
  // Such as: it waited for its standby no longer. Then the commit is not what the server's own settings make it.
  const warning = turn === undefined ? undefined : takeWarning();
  if (turn !== undefined && warning === undefined) onAcknowledged(turn);
  for (const [at, job] of jobs.entries()) {
    const outcome = outcomes[at];
    if (warning !== undefined) job.reject(toUnavailable("write as safely as its server should", new Error(warning)));
    else if (outcome !== undefined && "result" in outcome) job.resolve(outcome.result);
    else job.reject(outcome?.error);
  }
}

/** Rejects a job that the server refuses; of several each is tried alone, for the others are not to blame. */
async function refuse(
  options: LaneOptions,
  jobs: readonly Job[],
  error: unknown,
  isStopped: () => boolean,
): Promise<void> {
  if (jobs.length > 1 && !(error instanceof CairnError)) {
    for (const job of jobs) await runGroup(options, [job], isStopped);
    return;
  }
  for (const { reject } of jobs) reject(toUnavailable("write", error));
}
