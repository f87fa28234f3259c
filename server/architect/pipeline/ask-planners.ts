import { CairnError } from "../../errors.ts";
import type { Feedback, Plan, RejectPlan } from "../planners/plan.ts";
import type { Ground, Planner } from "../planners/planner.ts";

/** A plan with the planner that made it. */
export interface Made {
  readonly plan: Plan;
  readonly planner: Planner["name"];
}

/** The answer to feedback before a model is asked, which may know better. */
interface Refusal extends Made {
  readonly plan: RejectPlan;
}

const UNREACHABLE: ReadonlySet<string> = new Set(["UPSTREAM_ERROR", "UPSTREAM_TIMEOUT"]);

/**
 * Asks planners for a plan: a clear reading, else what evidence supports, else the model, else a worker, else the planner that
 * asks back. Without a model, the refusal of a sentence is the answer. With one, it is a hint to the model, and stays the
 * answer where the model cannot be reached or has no plan either. A refusal for want of evidence is final: no model makes up
 * for that. Resolves to undefined where no planner has an answer. `tell` hears of each planner before it is asked.
 */
export async function askPlanners(
  planners: readonly Planner[],
  feedback: Feedback,
  ground: Ground,
  tell: (name: Planner["name"]) => void,
): Promise<Made | undefined> {
  const find = (name: Planner["name"]) => planners.find((one) => one.name === name);
  const ask = async (name: Planner["name"], said: Feedback = feedback): Promise<Made | undefined> => {
    const planner = find(name);
    if (planner === undefined) return undefined;
    tell(name);
    const plan = await planner.plan(said, ground);
    return plan === undefined ? undefined : { plan, planner: name };
  };
  // An answer to a question is for the planner that asked.
  if (feedback.choice !== undefined) return ask("wishes");
  const hasModel = find("model") !== undefined;
  const clear = await ask("directives");
  if (clear !== undefined && !(hasModel && isRefusal(clear))) return clear;
  const supported = clear === undefined ? await ask("evidence") : undefined;
  if (supported !== undefined) return supported;
  if (!hasModel) return (await ask("worker")) ?? (await ask("wishes"));
  const question = clear ?? (await ask("wishes"));
  const planned = await askModel(ask, feedback, question !== undefined && isRefusal(question) ? question : undefined);
  const hasAnswer = planned !== undefined && !(isRefusal(planned) && planned.plan.isGivenUp === true);
  return hasAnswer ? planned : ((await ask("worker")) ?? planned ?? question);
}

function isRefusal(made: Made): made is Refusal {
  return made.plan.kind === "reject";
}

/** Asks the model, with what the planners before it have understood. */
async function askModel(
  ask: (name: "model", said: Feedback) => Promise<Made | undefined>,
  feedback: Feedback,
  refusal: Refusal | undefined,
): Promise<Made | undefined> {
  const hint = refusal === undefined ? undefined : `${refusal.plan.reason} ${refusal.plan.accepted}`;
  const isDocumented = refusal?.planner === "directives";
  try {
    const made = await ask("model", hint === undefined ? feedback : { ...feedback, hint });
    if (made === undefined || refusal === undefined || made.plan.kind !== "reject") return made;
    if (!isDocumented && refusal.plan.readings === undefined) return made;
    return { ...made, plan: join(refusal.plan, made.plan, isDocumented) };
  } catch (error) {
    if (isDocumented && error instanceof CairnError && UNREACHABLE.has(error.name)) return refusal;
    throw error;
  }
}

/** Joins the answers of two planners that both refuse; what may be chosen from stays. */
function join(refusal: RejectPlan, models: RejectPlan, isDocumented: boolean): RejectPlan {
  const [first, second] = isDocumented ? [refusal, models] : [models, refusal];
  return {
    ...refusal,
    ...(models.isGivenUp === true && { isGivenUp: true }),
    reason: `${first.reason} ${second.reason}`,
    accepted: `${first.accepted} ${second.accepted}`,
  };
}
