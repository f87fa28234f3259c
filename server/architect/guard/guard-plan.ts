import type { Redactor } from "../../log/redact.ts";
import { onlyLooks } from "../message/find-mood.ts";
import type { Message } from "../message/message.ts";
import { evidenceOf, ownSentences, readMessage } from "../message/read-message.ts";
import { type Change, findForbidden, findUnnamed } from "./find-change-faults.ts";
import { findEchoes } from "./find-echoes.ts";
import { findPathFaults } from "./find-path-faults.ts";
import type { ChangedFile } from "./overreach.ts";
import { refuseOverreach, showFinding } from "./refuse-overreach.ts";
import type { Adjustment, ChangePlan, Feedback, Plan, TunePlan } from "../planners/plan.ts";
import type { Ground, Planner } from "../planners/planner.ts";

export interface GuardOptions {
  readonly planner: Planner["name"];
  readonly feedback: Feedback;
  readonly ground: Ground;
  /** Finds credentials. */
  readonly redactor: Redactor;
}

/** Doubts that somebody is shown who is to approve a plan. */
const DOUBTS = 10;

/**
 * Holds a plan, whoever has made it, to what no message may ask for: hidden characters, instructions to models, what git
 * hosts take for commands or mentions, and credentials. Directives and evidence do what the sender's sentences say. What a
 * model or a worker has made of a message is held to these sentences besides: what they do not name is refused of a model,
 * and needs somebody's approval of a worker; so does whatever may come from data that the message only shows.
 */
export async function guardPlan(plan: Plan, options: GuardOptions): Promise<Plan> {
  if (plan.kind === "reject") return plan;
  const { message, attachments } = options.feedback;
  const read = readMessage(
    message,
    attachments.map(({ text }) => text),
  );
  return plan.kind === "tune" ? guardTuning(plan, read, options) : guardChange(plan, read, options);
}

async function guardChange(plan: ChangePlan, message: Message, options: GuardOptions): Promise<Plan> {
  const { planner, ground, redactor } = options;
  const change: Change = {
    files: await Promise.all([...plan.files].map(([path, after]) => toChangedFile(path, after, ground))),
    said: [["title", plan.title], ...plan.changes.map((text, index) => [`change ${index + 1}`, text] as const)],
  };
  const forbidden = findForbidden(change, redactor);
  if (!isDelegated(planner)) return forbidden.length > 0 ? refuseOverreach(forbidden, redactor) : plan;
  const attached = options.feedback.attachments.map(({ text }) => text);
  const isText = (path: string) => change.files.some((file) => file.path === path && file.before !== undefined);
  const paths = findPathFaults(plan.files.keys(), { files: ground.files, isText });
  if (paths.length > 0) return refuseOverreach(paths, redactor);
  const unnamed = findUnnamed(change, message, attached, ground.version);
  const refused = planner === "model" ? unnamed : unnamed.filter(({ ask }) => ask === undefined);
  if (refused.length + forbidden.length > 0) return refuseOverreach([...refused, ...forbidden], redactor);
  const doubts = [...findDoubts(message), ...findEchoes(change.files, message), ...unnamed.map((one) => one.message)];
  const shown = new Set(doubts.map((doubt) => showFinding(doubt, redactor)));
  return shown.size === 0 ? plan : { ...plan, doubts: [...shown].slice(0, DOUBTS) };
}

/** What is tuned takes effect at once, so nobody can approve it first. */
function guardTuning(plan: TunePlan, message: Message, { planner, redactor }: GuardOptions): Plan {
  const files = plan.adjustments.flatMap(toTexts);
  const forbidden = findForbidden({ files, said: [] }, redactor);
  if (forbidden.length > 0) return refuseOverreach(forbidden, redactor);
  const [doubt] = isDelegated(planner) ? [...findDoubts(message), ...findEchoes(files, message)] : [];
  if (doubt === undefined) return plan;
  return {
    kind: "reject",
    reason: showFinding(doubt, redactor),
    accepted: "Say in a sentence of your own what is to be active.",
  };
}

/** Whether a plan was made by somebody else than who asked for it. */
function isDelegated(planner: Planner["name"]): boolean {
  return planner === "model" || planner === "worker";
}

/** A message that asks for nothing itself may be followed only in what it shows, and that is nobody's wish. */
function findDoubts(message: Message): readonly string[] {
  const asks = ownSentences(message).some(({ mood, text }) => mood === "imperative" && !onlyLooks(text));
  if (asks || evidenceOf(message).length === 0) return [];
  return ["The message asks for nothing in its sender's own words, and what it quotes, shows or attaches is no order."];
}

async function toChangedFile(path: string, after: string | null, ground: Ground): Promise<ChangedFile> {
  const before = ground.files.includes(path) ? await ground.readText(path) : undefined;
  return { path, before, after: after ?? undefined };
}

/** What an adjustment says, as a file that is not there yet. */
function toTexts(adjustment: Adjustment): readonly ChangedFile[] {
  const { kind } = adjustment;
  if (kind === "revert" || kind === "reset" || kind === "undo") return [];
  const what = kind === "promote" ? [adjustment.arm ?? "", adjustment.values ?? {}] : adjustment.value;
  const name = kind === "promote" ? `tuning of ${adjustment.experiment}` : `${kind}.json`;
  return [{ path: name, before: undefined, after: JSON.stringify(what) }];
}
