import { type Attempt, type Attempted, findTrespass, type InTurn, noteLanded, tryAlone, workOut } from "./carry-out.ts";
import type { ArchitectContext } from "./context.ts";
import type { Proposed } from "./feedback-record.ts";
import { findBase } from "./find-base.ts";
import { findObligation } from "./find-obligation.ts";
import { copyExamples, keepEvidence } from "./keep-evidence.ts";
import { auditProposal, type Made, proposeChange } from "./propose-change.ts";
import { type GateReport, specPath } from "../../capabilities/work/gate.ts";
import { type Candidate, fitIn, type Part } from "./work-out.ts";

/** Attempts that land as one change at most. */
const TOGETHER_LIMIT = 16;

interface Waiting {
  readonly attempt: Attempt;
  /** Counts once. */
  readonly settle: (outcome: Promise<Attempted>) => void;
}

type Done = (attempt: Attempt, outcome: Promise<Attempted>) => void;

interface Member extends Part {
  readonly attempt: Attempt;
}

/**
 * Creates the queues of branches. Where landing takes moments, attempts on a branch are carried out one after the other,
 * and those that have come meanwhile together; where others' checks take their time, all at once.
 */
export function createTurns(context: ArchitectContext): InTurn {
  const queues = new Map<string, Waiting[]>();

  async function drain(branch: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const waiting = queue.splice(0, TOGETHER_LIMIT);
      const settlers = new Map(waiting.map(({ attempt, settle }) => [attempt, settle]));
      const done: Done = (attempt, outcome) => settlers.get(attempt)?.(outcome);
      await tryTogether(context, [...settlers.keys()], done).catch((error: unknown) => {
        const failed = Promise.reject(error);
        failed.catch(() => undefined);
        for (const { settle } of waiting) settle(failed);
      });
    }
    queues.delete(branch);
  }

  return (branch, attempt) => {
    if (!context.landsAtOnce) return tryAlone(context, attempt);
    const { promise, resolve } = Promise.withResolvers<Attempted>();
    const waiting = { attempt, settle: resolve };
    const queue = queues.get(branch);
    if (queue !== undefined) queue.push(waiting);
    else {
      const begun = [waiting];
      queues.set(branch, begun);
      void drain(branch, begun);
    }
    return promise;
  };
}

/**
 * Carries out attempts on one branch, in their order: first those that the forge has already, one by one; then those that
 * get along as one change, which is verified and landed once; then each of the others by itself. Calls `done` with the
 * outcome of every attempt.
 */
async function tryTogether(context: ArchitectContext, attempts: readonly Attempt[], done: Done): Promise<void> {
  const one = async (attempt: Attempt) => {
    const outcome = tryAlone(context, attempt);
    done(attempt, outcome);
    await outcome.catch(() => undefined);
  };
  // One of these may hold the changes of others here, after a crash.
  const fresh = attempts.filter(({ record }) => record.proposal === null);
  for (const attempt of attempts) if (!fresh.includes(attempt)) await one(attempt);
  const together = fresh.length < 2 ? undefined : await workOutTogether(context, fresh);
  const landed = together === undefined ? new Set<Attempt>() : await landTogether(context, together, done);
  for (const attempt of fresh) if (!landed.has(attempt)) await one(attempt);
}

/** Attempts that may land as one change, which is verified. */
interface Together {
  readonly members: readonly [Member, ...Member[]];
  readonly made: Made;
  leave(): Promise<void>;
}

/** Undefined where there are no two that get along, or where all of them together do not hold. */
async function workOutTogether(context: ArchitectContext, attempts: readonly Attempt[]): Promise<Together | undefined> {
  try {
    const found = await findMembers(context, attempts);
    if (found === undefined) return undefined;
    const { base, members } = found;
    const { candidate, leave } = await workOut(context, { book: members[0].attempt.book, parts: members, base });
    const gate = await judgeTogether(members, candidate);
    const others = members.slice(1).map(({ record }) => record);
    if (gate !== undefined) return { members, made: { base, candidate, gate, others }, leave };
    await leave();
  } catch (error) {
    // Nothing has been proposed: each is tried by itself, and says what keeps it from that.
    if (context.signal.aborted) throw error;
    context.onError(error);
  }
  return undefined;
}

/** Those of which something has come. */
async function landTogether(
  context: ArchitectContext,
  { members, made, leave }: Together,
  done: Done,
): Promise<ReadonlySet<Attempt>> {
  const [leader, ...followers] = members.map(({ attempt }) => attempt);
  if (leader === undefined) return new Set();
  const proposing = proposeChange(context, leader.book, leader.record, made);
  done(leader, proposing);
  const [brought] = await Promise.all([proposing.catch(() => undefined), leave()]);
  // What has landed all the same is found by whoever is tried by itself.
  if (brought?.kind !== "landed" || brought.record.proposal === null) return new Set([leader]);
  for (const follower of followers) {
    const following = follow(context, follower, brought.record.proposal, leader);
    done(follower, following);
    await following.catch(() => undefined);
  }
  return new Set([leader, ...followers]);
}

/** Those whose files fit each other and the base, of one tenant: whose recorded calls are replayed. */
async function findMembers(context: ArchitectContext, attempts: readonly Attempt[]) {
  const { git, registry, baseBranch, filesOf } = context;
  // What is in doubt waits for somebody's approval.
  const open = attempts.filter(
    ({ book, record, planned: { plan } }) => !record.dry_run && !book.isApproved && (plan.doubts ?? []).length === 0,
  );
  const own = open.filter(({ record }) => record.tenant === open[0]?.record.tenant);
  const [first] = own;
  if (first === undefined || own.length === 1) return undefined;
  context.prepare();
  await registry.refresh();
  const base = await findBase({ git, gitDir: registry.mirror }, first.record.commit, baseBranch);
  const now = await filesOf(base.head);
  const changed = new Map<string, string | null>();
  const read = async (path: string) => (changed.has(path) ? (changed.get(path) ?? undefined) : now.readText(path));
  const members: Member[] = [];
  for (const attempt of own) {
    const { record, planned } = attempt;
    if ((await findTrespass(context, record, base)) !== undefined) continue;
    if ((await now.readText(specPath(record.id))) !== undefined) continue;
    const fit = await fitIn(context, { record, planned, base, read });
    if (fit.kind !== "fits") continue;
    for (const [path, text] of fit.files) changed.set(path, text);
    members.push({ attempt, record, plan: planned.plan, files: fit.files });
  }
  const [leader, ...followers] = members;
  return leader === undefined || followers.length === 0
    ? undefined
    : { base, members: [leader, ...followers] as const };
}

/** Keeps the evidence of each, and has the gate of each judge it; undefined where they cannot all land without anybody's help. */
async function judgeTogether(members: readonly Member[], candidate: Candidate): Promise<GateReport | undefined> {
  const { verification, files, baseVersion } = candidate;
  const { reasons } = findObligation(baseVersion.policies, verification.required, [...files.keys()], verification);
  if (verification.status === "failed" || reasons.length > 0) return undefined;
  const specs = new Set(members.map(({ record }) => specPath(record.id)));
  const planned = new Set(members.flatMap((member) => [...member.files.keys()]));
  let first: GateReport | undefined;
  for (const { attempt, record, plan, files: own } of members) {
    // Its own files, its spec, and the numbers that are raised for all.
    const isOwn = (path: string) =>
      own.has(path) || path === specPath(record.id) || !(specs.has(path) || planned.has(path));
    const theirs = new Map([...files].filter(([path]) => isOwn(path)));
    await keepEvidence(attempt.book, { ...candidate, plan, files: theirs });
    const gate = await attempt.book.judge([...theirs.keys()], "low");
    if (gate.status !== "passed") return undefined;
    first ??= gate;
  }
  return first;
}

/** Notes of feedback that its change has landed with that of another. */
async function follow(
  context: ArchitectContext,
  { book, record }: Attempt,
  led: Proposed,
  leader: Attempt,
): Promise<Attempted> {
  const { semver: version, base, from, together = [] } = led;
  // The base may have moved on the way, and the examples of what landed were tried again then.
  await copyExamples(leader.book, book);
  const audit = await auditProposal(context, record, { run: book.runId, version, base, from });
  context.tell(record, "land", `Landed on \`${base}\`, with others.`);
  return noteLanded(book, record, {
    ...led,
    audit,
    together: [leader.record.id, ...together.filter((id) => id !== record.id)],
  });
}
