import { specPath } from "../../capabilities/work/gate.ts";
import { buildParts, findBaseFor, findTrespass, type Part, toLanded } from "./build.ts";
import type { ArchitectContext } from "./context.ts";
import type { FeedbackRecord, Proposed } from "./feedback-record.ts";
import { findObligation } from "./find-obligation.ts";
import { fitPlan } from "./fit-plan.ts";
import { copyExamples, keepEvidence } from "./keep-evidence.ts";
import { auditProposal } from "./propose.ts";
import type { Approved, Candidate, Next, Run, Transition } from "./run.ts";
import { verifyBuilt } from "./verify.ts";

/** The queues of branches, on which pieces of feedback have their turns. */
export interface Turns {
  /** Waits for the turn of feedback whose next step is on its branch. */
  take(run: Run, next: Next): Promise<Turn>;
}

export interface Turn {
  /** Transition to continue from; others may have made it since. */
  readonly from: Transition;
  /** Lets the next one have its turn. */
  leave(record: FeedbackRecord): void;
}

interface Waiting {
  readonly run: Run;
  readonly next: Next;
  /** Counts once. */
  readonly settle: (turn: Turn | Promise<never>) => void;
}

/** One that waits to build its plan. */
interface Planned extends Waiting {
  readonly next: Extract<Next, { readonly step: "build" }>;
}

interface Member extends Part {
  readonly waiting: Planned;
}

/** Several that may land as one change, which is verified; the first leads. */
interface Together {
  readonly members: readonly [Member, ...Member[]];
  readonly approved: Approved;
}

/** Pieces of feedback that land as one change at most. */
const TOGETHER_LIMIT = 16;

/**
 * Creates the queues of branches. Where landing takes moments, pieces of feedback on a branch have their turns one after the
 * other, and those that have come meanwhile land together; where others' checks take their time, all go at once.
 */
export function createTurns(context: ArchitectContext): Turns {
  const queues = new Map<string, Waiting[]>();

  async function drain(branch: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, TOGETHER_LIMIT);
      await serve(context, batch).catch((error: unknown) => {
        for (const one of batch) refuse(one, error);
      });
    }
    queues.delete(branch);
  }

  return Object.freeze<Turns>({
    async take(run, next) {
      const { record } = run;
      if (!context.landsAtOnce) return { from: { record, next }, leave: () => undefined };
      const branch = record.proposal?.base ?? (await findBranch(context, record, next));
      const { promise, resolve } = Promise.withResolvers<Turn>();
      const waiting = { run, next, settle: resolve };
      const queue = queues.get(branch);
      if (queue !== undefined) queue.push(waiting);
      else {
        const begun = [waiting];
        queues.set(branch, begun);
        void drain(branch, begun);
      }
      return promise;
    },
  });
}

async function findBranch(context: ArchitectContext, record: FeedbackRecord, next: Next): Promise<string> {
  const { commit, version: semver } = record;
  const base =
    next.step === "build"
      ? findBaseFor(context, record, next.planned.plan)
      : context.repository.findBase(commit, { semver });
  return (await base).branch;
}

/** Gives one its turn, and resolves to its record once it has left. */
async function give({ run, next, settle }: Waiting, from: Transition = { record: run.record, next }) {
  const { promise, resolve } = Promise.withResolvers<FeedbackRecord>();
  settle({ from, leave: resolve });
  return promise;
}

/** Has one fail that waits for its turn, unless it has had it. */
function refuse({ settle }: Waiting, error: unknown): void {
  const failed = Promise.reject(error);
  failed.catch(() => undefined);
  settle(failed);
}

/**
 * Gives turns on one branch, in their order: first to those that were about to be proposed already, one by one; then to
 * those that get along as one change, which is verified and landed once; then to each of the others by itself.
 */
async function serve(context: ArchitectContext, batch: readonly Waiting[]): Promise<void> {
  // One of these may hold the changes of others here, after a crash.
  const fresh = batch.filter((one): one is Planned => one.run.record.proposal === null && one.next.step === "build");
  for (const one of batch) if (!fresh.some((other) => other === one)) await give(one);
  const together = fresh.length < 2 ? undefined : await makeTogether(context, fresh);
  const served = together === undefined ? new Set<Waiting>() : await landTogether(context, together);
  for (const one of fresh) if (!served.has(one)) await give(one);
}

/** Resolves to nothing where there are no two that get along, or where all of them together do not hold. */
async function makeTogether(context: ArchitectContext, fresh: readonly Planned[]): Promise<Together | undefined> {
  try {
    const found = await findMembers(context, fresh);
    if (found === undefined) return undefined;
    const { base, members } = found;
    const [leader, ...followers] = members;
    const { runId } = leader.waiting.run.book;
    const built = await buildParts(context, runId, members, base);
    const others = followers.map(({ record }) => record);
    const candidate = await verifyBuilt(context, [leader.record, ...others], built);
    await context.workspaces.remove(built.workspace.runId);
    const gate = await judgeTogether(members, candidate);
    return gate === undefined ? undefined : { members, approved: { candidate, gate, others } };
  } catch (error) {
    // Nothing has been proposed: each is tried by itself, and says what keeps it from that.
    if (context.signal.aborted) throw error;
    context.onError(error);
    return undefined;
  }
}

/** Resolves to those of which something has come. */
async function landTogether(context: ArchitectContext, { members, approved }: Together): Promise<ReadonlySet<Waiting>> {
  const [leader, ...followers] = members.map(({ waiting }) => waiting);
  if (leader === undefined) return new Set();
  const { proposal } = await give(leader, { record: leader.run.record, next: { step: "propose", approved } });
  // What has landed all the same is found by each that is tried by itself.
  if (proposal === null || proposal.landed === null) return new Set([leader]);
  for (const follower of followers) {
    const from = await follow(context, follower.run, proposal, leader.run).catch((error: unknown) =>
      refuse(follower, error),
    );
    if (from !== undefined) await give(follower, from);
  }
  return new Set([leader, ...followers]);
}

/** Finds those whose files fit each other and the base, of one tenant: its recorded calls are replayed. */
async function findMembers(context: ArchitectContext, fresh: readonly Planned[]) {
  const { registry, filesOf } = context;
  // What is in doubt waits for somebody's approval.
  const open = fresh.filter(
    ({ run: { record, book }, next: { planned } }) =>
      !record.dry_run && record.renewal === undefined && !book.isApproved && (planned.plan.doubts ?? []).length === 0,
  );
  const own = open.filter(({ run }) => run.record.tenant === open[0]?.run.record.tenant);
  const [first] = own;
  if (first === undefined || own.length === 1) return undefined;
  context.prepare();
  await registry.refresh();
  const base = await findBaseFor(context, first.run.record, first.next.planned.plan);
  const now = await filesOf(base.head);
  const changed = new Map<string, string | null>();
  const read = async (path: string) => (changed.has(path) ? (changed.get(path) ?? undefined) : now.readText(path));
  const members: Member[] = [];
  for (const waiting of own) {
    const { planned } = waiting.next;
    const { record } = waiting.run;
    if ((await findTrespass(context, record, base)) !== undefined) continue;
    if ((await now.readText(specPath(record.id))) !== undefined) continue;
    const fit = await fitPlan(context, { record, planned, base, read });
    if (fit.kind !== "fits") continue;
    for (const [path, text] of fit.files) changed.set(path, text);
    members.push({ waiting, record, plan: planned.plan, files: fit.files });
  }
  const [leader, ...followers] = members;
  return leader === undefined || followers.length === 0
    ? undefined
    : { base, members: [leader, ...followers] as const };
}

/** Keeps the evidence of each, and has the gate of each judge it; undefined where one of them needs somebody's help to land. */
async function judgeTogether(members: readonly Member[], candidate: Candidate) {
  const { verification, files, baseVersion } = candidate;
  const { reasons } = findObligation(baseVersion.policies, verification.required, [...files.keys()], verification);
  if (verification.status === "failed" || reasons.length > 0) return undefined;
  const specs = new Set(members.map(({ record }) => specPath(record.id)));
  const planned = new Set(members.flatMap((member) => [...member.files.keys()]));
  const gates: Approved["gate"][] = [];
  for (const { waiting, record, plan, files: own } of members) {
    // Its own files, its spec, and the numbers that are raised for all.
    const isOwn = (path: string) =>
      own.has(path) || path === specPath(record.id) || !(specs.has(path) || planned.has(path));
    const theirs = new Map([...files].filter(([path]) => isOwn(path)));
    await keepEvidence(waiting.run.book, { ...candidate, plan, files: theirs });
    const gate = await waiting.run.book.judge([...theirs.keys()], "low");
    if (gate.status !== "passed") return undefined;
    gates.push(gate);
  }
  return gates[0];
}

/** Notes of feedback that its change has landed with that of another. */
async function follow(
  context: ArchitectContext,
  { book, record }: Run,
  led: Proposed,
  leader: Run,
): Promise<Transition> {
  const { semver: version, base, from, together = [] } = led;
  // The base may have moved on the way, and the examples of what landed were tried again then.
  await copyExamples(leader.book, book);
  const audit = await auditProposal(context, record, { run: book.runId, version, base, from });
  context.tell(record, "land", `Landed on \`${base}\`, with others.`);
  const others = [leader.record.id, ...together.filter((id) => id !== record.id)];
  return toLanded(record, { ...led, audit, together: others });
}
