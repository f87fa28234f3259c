import type { Redactor } from "../../log/redact.ts";
import { onlyLooks } from "../message/find-mood.ts";
import type { Message } from "../message/message.ts";
import { evidenceOf, ownSentences, readMessage } from "../message/read-message.ts";
import { type Change, findForbidden, findUnnamed, toChangedFiles } from "./find-change-faults.ts";
import { findEchoes } from "./find-echoes.ts";
import { findPathFaults } from "./find-path-faults.ts";
import { isMentioned } from "./is-named.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";
import { guardRenewal } from "./guard-renewal.ts";
import { judge, refuseOverreach } from "./judge.ts";
import type { Renewal } from "../pipeline/feedback-record.ts";
import type { Adjustment, ChangePlan, Feedback, Plan, TunePlan } from "../planners/plan.ts";
import type { Ground, Planner } from "../planners/planner.ts";

export interface GuardOptions {
  readonly planner: Planner["name"];
  readonly feedback: Feedback;
  readonly ground: Pick<Ground, "version" | "files" | "readText">;
  /** Finds credentials. */
  readonly redactor: Redactor;
  /** The import that the service itself renews; absent: a person asks for something. */
  readonly renewal?: Renewal;
}

/**
 * Holds a plan, whoever has made it, to what no message may ask for: hidden characters, instructions to models, what git
 * hosts take for commands or mentions, and credentials. Directives and evidence do what the sender's sentences say. What a
 * model or a worker has made of a message is held to these sentences besides. What they do not name is refused, or left to
 * somebody who approves it and is shown the findings, as `GUARDS` says.
 */
export async function guardPlan(plan: Plan, options: GuardOptions): Promise<Plan> {
  if (plan.kind === "reject") return plan;
  const { renewal } = options;
  if (renewal !== undefined && plan.kind === "change") return guardRenewal(plan, renewal, options);
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
    files: await toChangedFiles(plan.files, ground),
    said: [["title", plan.title], ...plan.changes.map((text, index) => [`change ${index + 1}`, text] as const)],
  };
  const forbidden = findForbidden(change, redactor);
  if (!isDelegated(planner)) return forbidden.length > 0 ? refuseOverreach(forbidden, redactor) : plan;
  const attached = options.feedback.attachments.map(({ text }) => text);
  const isText = (path: string) => change.files.some((file) => file.path === path && file.before !== undefined);
  const paths = findPathFaults(plan.files.keys(), { files: ground.files, isText });
  if (paths.length > 0) return refuseOverreach(paths, redactor);
  const unnamed = findUnnamed(change, message, attached, ground.version);
  return judge(
    plan,
    [...forbidden, ...findDoubts(message), ...findEchoes(change.files, message), ...unnamed],
    redactor,
  );
}

function guardTuning(plan: TunePlan, message: Message, { planner, redactor }: GuardOptions): Plan {
  const files = plan.adjustments.flatMap(toTexts);
  const forbidden = findForbidden({ files, said: [] }, redactor);
  if (!isDelegated(planner)) return forbidden.length > 0 ? refuseOverreach(forbidden, redactor) : plan;
  const unnamed = plan.adjustments.flatMap((one) => findUnnamedTuning(one, message));
  return judge(plan, [...forbidden, ...findDoubts(message), ...findEchoes(files, message), ...unnamed], redactor);
}

function findUnnamedTuning(adjustment: Adjustment, message: Message): readonly Overreach[] {
  const name = "experiment" in adjustment ? adjustment.experiment : adjustment.kind;
  if (isMentioned(message, [[name]])) return [];
  const text = `The plan tunes \`${name}\`, which the message does not name.`;
  return [{ rule: "tuning", path: `tuning of ${name}`, message: text }];
}

/** Tells whether a plan was made by somebody else than who asked for it. */
function isDelegated(planner: Planner["name"]): boolean {
  return planner === "model" || planner === "worker";
}

/** A message that asks for nothing itself may be followed only in what it shows, and that is nobody's wish. */
function findDoubts(message: Message): readonly Overreach[] {
  const own = ownSentences(message);
  const asks = own.some(({ mood, text }) => mood === "imperative" && !onlyLooks(text));
  const tells = evidenceOf(message).length === 0 && own.some(({ mood }) => mood === "report");
  if (asks || tells) return [];
  const text =
    evidenceOf(message).length === 0
      ? "The message asks for nothing: it has only questions, conditions and denials."
      : "The message asks for nothing in its sender's own words, and what it quotes, shows or attaches is no order.";
  return [{ rule: "wish", path: "message", message: text }];
}

/** What an adjustment says, as a file that is not there yet. */
function toTexts(adjustment: Adjustment): readonly ChangedFile[] {
  const { kind } = adjustment;
  if (kind === "revert" || kind === "reset" || kind === "undo") return [];
  const what = kind === "promote" ? [adjustment.arm ?? "", adjustment.values ?? {}] : adjustment.value;
  const name = kind === "promote" ? `tuning of ${adjustment.experiment}` : `${kind}.json`;
  return [{ path: name, before: undefined, after: JSON.stringify(what) }];
}
