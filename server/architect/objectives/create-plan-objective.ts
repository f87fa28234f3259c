import type { RunPlan } from "../../capabilities/knowledge/api.ts";
import type { Workspaces } from "../../capabilities/workspace/open-workspaces.ts";
import type { PlanObjective } from "../../capabilities/workspace/workspace.ts";
import { defined } from "../../json/defined.ts";
import type { Redactor } from "../../log/redact.ts";
import type { Version } from "../../versions/version.ts";
import { guardPlan } from "../guard/guard-plan.ts";
import { readMessage } from "../message/read-message.ts";
import { askPlanners } from "../pipeline/ask-planners.ts";
import type { CommitFiles } from "../pipeline/commit-files.ts";
import { explainNothing } from "../pipeline/explain-nothing.ts";
import type { Verify } from "../pipeline/verify/create-verify.ts";
import { UNKNOWN, UNUSED } from "../planners/directives/knows-value.ts";
import type { ChangePlan, Feedback, Plan } from "../planners/plan.ts";
import type { Ground, Planner } from "../planners/planner.ts";
import { createDraftTrial } from "./draft-trial.ts";

export interface PlanObjectiveOptions {
  /** As the Architect has them; a worker is none of them. */
  readonly planners: readonly Planner[];
  readonly read: (commit: string) => Promise<Version>;
  readonly filesOf: (commit: string) => Promise<CommitFiles>;
  readonly workspaces: Workspaces;
  readonly verify: Verify;
  /** Finds credentials in plans. */
  readonly redactor: Redactor;
  readonly now: () => number;
}

/** A plan and the planner that made it. */
interface Answer {
  readonly planner: Planner["name"] | null;
  readonly plan: Plan;
}

const OF_TUNING =
  "It asks for other values of experiments in use, which are no files: the Architect takes that as feedback.";
const SHOWN = 10;

/**
 * Creates what `ctx.repository.plan` asks: the Architect's planners and its guard, for the objective of a task. A change
 * that does not hold when it is tried is no plan: what is wrong with it goes to the model, and else to the worker who is
 * to do it.
 */
export function createPlanObjective(options: PlanObjectiveOptions): PlanObjective {
  const { planners, read, filesOf, workspaces, verify, redactor, now } = options;
  return async ({ runId, commit, tenant, objective, choice, propose, signal, onStep }) => {
    const [version, { paths: files, readText }] = await Promise.all([read(commit), filesOf(commit)]);
    const commitOf = { version, files, readText };
    const feedback: Feedback = { message: objective, attachments: [], ...defined({ choice }) };
    const guard = (planner: Planner["name"], plan: Plan) =>
      guardPlan(plan, { planner, feedback, ground: commitOf, redactor });
    const trial = createDraftTrial({ workspaces, verify, before: { version, readText }, runId, tenant, signal });
    const ground: Ground = {
      ...commitOf,
      now,
      signal,
      propose,
      // A task is about its own commit; what feedback has done is for feedback to take back.
      reverse: async () => undefined,
      async tryPlan(draft) {
        const guarded = await guard("model", draft);
        if (guarded.kind === "reject") return { findings: [`${guarded.reason} ${guarded.accepted}`], approvals: [] };
        if (guarded.kind === "tune") return { findings: [], approvals: [] };
        const findings = await trial.findFaults(guarded.files);
        return { findings, approvals: guarded.doubts ?? [] };
      },
    };
    const tell = (name: Planner["name"]) => onStep(`Asks the planner \`${name}\`.`);

    const made = await ask();
    if (made.plan.kind !== "change") return { ...toWorker(made, toReasons(made.plan)), ...toQuestion(made.plan) };
    const isModels = made.planner === "model";
    const faults = isModels ? [] : [...findCodeLeft(made.plan), ...(await trial.findFaults(made.plan.files))];
    if (faults.length === 0) return toService(made, made.plan);
    const why = [`What was understood is not enough: ${made.plan.changes.join(" ")}`, ...faults];
    const mended = await askModel(why.join("\n"));
    return mended?.plan.kind === "change" ? toService(mended, mended.plan) : toWorker(made, why);

    async function ask(): Promise<Answer> {
      const answer = await askPlanners(planners, feedback, ground, tell);
      if (answer === undefined) return { planner: null, plan: explainNothing(readMessage(objective)) };
      return { planner: answer.planner, plan: await guard(answer.planner, answer.plan) };
    }

    /** Asks the model, where there is one, to do better than a reading whose change does not hold. */
    async function askModel(hint: string): Promise<Answer | undefined> {
      const model = planners.find(({ name }) => name === "model");
      if (model === undefined) return undefined;
      tell("model");
      const plan = await model.plan({ ...feedback, hint }, ground);
      return plan === undefined ? undefined : { planner: "model", plan: await guard("model", plan) };
    }

    async function toService({ planner }: Answer, plan: ChangePlan): Promise<RunPlan> {
      const { changes, files: planned, doubts = [] } = plan;
      const diff = await trial.toDiff(planned);
      return { by: "service", planner, changes, files: [...planned.keys()], diff, why: [], doubts };
    }
  };
}

/** Says that a reading leaves work to the code, which readings do not write. */
function findCodeLeft({ changes }: ChangePlan): readonly string[] {
  const isLeft = changes.some((change) => change.endsWith(UNKNOWN) || change.endsWith(UNUSED));
  return isLeft ? ["The code has to change as well."] : [];
}

function toReasons(plan: Exclude<Plan, ChangePlan>): readonly string[] {
  return plan.kind === "tune" ? [OF_TUNING] : [plan.reason, plan.accepted];
}

/** Makes what a refusal would accept a question, for an answer may say that. */
function toQuestion(plan: Exclude<Plan, ChangePlan>): Pick<RunPlan, "question"> {
  if (plan.kind === "tune") return {};
  const { reason, accepted, readings } = plan;
  if (readings === undefined) return { question: { text: `${reason} ${accepted}` } };
  return { question: { text: reason, readings: readings.map(({ id, title }) => ({ id, title })) } };
}

function toWorker({ planner }: Answer, why: readonly string[]): RunPlan {
  return { by: "worker", planner, changes: [], files: [], diff: "", why: why.slice(0, SHOWN), doubts: [] };
}
