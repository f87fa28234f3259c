import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { ModelMessage } from "ai";
import type { ModelConfig } from "../../../config/config.ts";
import { CairnError } from "../../../errors.ts";
import { toHex } from "../../../identifiers.ts";
import type { Redactor } from "../../../log/redact.ts";
import type { Json } from "../../../store/store.ts";
import type { Feedback, Plan, RejectPlan } from "../plan.ts";
import type { Ground, Planner } from "../planner.ts";
import { type Budget, createBudget } from "./create-budget.ts";
import { createDataBlocks } from "./create-data-blocks.ts";
import { createGuardedFetch } from "./create-guarded-fetch.ts";
import { judgeChange } from "./judge-change.ts";
import { judgeTuning } from "./judge-tuning.ts";
import { MODEL_LIMITS, type ModelLimits } from "./model-limits.ts";
import { MODEL_TOOLS, runModelTool, SUBMIT } from "./model-tools.ts";
import { type Ask, type ModelAnswer, openEndpoint } from "./open-endpoint.ts";
import { openReading } from "./open-reading.ts";
import { createSubmissionReader } from "./read-submission.ts";
import { toFirstMessage, toSystemPrompt } from "./to-prompt.ts";
import { throwIfGivenUp } from "./throw-if-given-up.ts";
import { toRejectPlan } from "./to-reject-plan.ts";

export interface ModelPlannerOptions {
  readonly model: ModelConfig;
  readonly now: () => number;
  /** Masks what goes to the model, and what it says to the sender. */
  readonly redactor: Redactor;
  readonly limits?: ModelLimits;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits for a busy endpoint. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** The parts that planning with one model takes, whatever the feedback. */
interface Planning extends Pick<ModelPlannerOptions, "now" | "redactor"> {
  /** The name of the model. */
  readonly model: string;
  readonly limits: ModelLimits;
  readonly ask: Ask;
  readonly readSubmission: ReturnType<typeof createSubmissionReader>;
}

/** The outcome of a submission: a plan, or what the model may put right. */
type Judgement = { readonly plan: Plan } | { readonly faults: readonly string[] };

/**
 * Plans with a model that may read files of the commit and then submits. Nothing that it submits is trusted: `guardPlan`
 * decides what becomes of it. Rejects with UPSTREAM_ERROR and UPSTREAM_TIMEOUT where the endpoint fails, and with CANCELLED where
 * the ground's signal aborts; a plan that takes more than its limits is a rejection.
 */
export function createModelPlanner(options: ModelPlannerOptions): Planner {
  const { model, now, redactor, limits = MODEL_LIMITS, fetch = globalThis.fetch, pause = wait } = options;
  const ask = openEndpoint(model, createGuardedFetch({ limits, fetch, pause }));
  const planning: Planning = {
    model: model.name,
    now,
    redactor,
    limits,
    ask,
    readSubmission: createSubmissionReader(),
  };
  return { name: "model", plan: (feedback, ground) => plan(planning, feedback, ground) };
}

async function plan(planning: Planning, feedback: Feedback, ground: Ground): Promise<Plan> {
  const { now, redactor, limits } = planning;
  throwIfGivenUp(ground.signal);
  const budget = createBudget(limits, now);
  const boundary = toHex(randomBytes(16));
  const toDataBlock = createDataBlocks(boundary, redactor);
  const reading = openReading(ground, redactor, limits);
  const system = toSystemPrompt(boundary);
  const first = await toFirstMessage(feedback, ground, reading, toDataBlock, limits);
  const messages: ModelMessage[] = [{ role: "user", content: first }];
  let faults = 0;
  for (;;) {
    const answer = await takeTurn(planning, budget, { system, messages, signal: ground.signal });
    if ("kind" in answer) return answer;
    const calls = answer.calls.slice(0, limits.callsPerTurn);
    const submitted = calls.find(({ name }) => name === SUBMIT);
    if (submitted === undefined && calls.length > 0) {
      const results: string[] = [];
      for (const call of calls) {
        throwIfGivenUp(ground.signal);
        results.push(await runModelTool(call, reading, toDataBlock, limits));
      }
      messages.push(...toMessages(answer.text, calls, results));
      continue;
    }
    const judged =
      submitted === undefined
        ? { faults: [`The answer is no plan: call \`${SUBMIT}\`, or a tool that reads.`] }
        : await judge(planning, submitted.input, { ground, budget });
    if ("plan" in judged) return judged.plan;
    if (++faults > limits.faults) return giveUp(planning, judged.faults, budget);
    const wrong = toDataBlock("what is wrong with the answer", judged.faults.join("\n"));
    const again = `That cannot be taken. Put it right and submit once more.\n${wrong}`;
    if (submitted === undefined) {
      messages.push({ role: "assistant", content: answer.text || "(nothing)" }, { role: "user", content: again });
    } else messages.push(...toMessages(answer.text, [submitted], [again]));
  }
}

/** Asks the model once, as far as the budget goes. */
async function takeTurn(
  { ask, limits, model }: Planning,
  budget: Budget,
  turn: { readonly system: string; readonly messages: readonly ModelMessage[]; readonly signal: AbortSignal },
): Promise<ModelAnswer | RejectPlan> {
  const inputBytes = Buffer.byteLength(JSON.stringify([turn.system, turn.messages, MODEL_TOOLS]));
  const exceeded = budget.findExceeded(inputBytes);
  if (exceeded !== undefined) return toLimitReached(model, exceeded, budget);
  const left = budget.left();
  try {
    const answer = await ask({
      ...turn,
      tools: MODEL_TOOLS,
      maxOutputTokens: budget.nextOutput(inputBytes),
      patience: Math.min(limits.turnMs, left),
    });
    budget.charge(answer.usage, inputBytes, Buffer.byteLength(JSON.stringify([answer.text, answer.calls])));
    // What was asked for last counts, too, even where the endpoint has kept to none of it.
    const beyond = budget.findOverspent();
    return beyond === undefined ? answer : toLimitReached(model, beyond, budget);
  } catch (error) {
    const isOver = error instanceof CairnError && error.name === "UPSTREAM_TIMEOUT" && left < limits.turnMs;
    if (isOver) return toLimitReached(model, `${limits.wallMs} ms (\`wallMs\`)`, budget);
    throw error;
  }
}

/** Makes a plan of a submission, or says what is wrong with it. */
async function judge(
  planning: Planning,
  input: unknown,
  { ground, budget }: { readonly ground: Ground; readonly budget: Budget },
): Promise<Judgement> {
  const { readSubmission, redactor, limits } = planning;
  const read = readSubmission(input);
  if (!read.ok) return { faults: read.faults };
  const { change, tune, reject } = read.submission;
  if (reject !== undefined) return { plan: toRejectPlan(reject, redactor) };
  if (tune !== undefined) return { plan: judgeTuning(tune.adjustments, ground.version) };
  if (change === undefined) return { faults: ["The plan has none of `change`, `tune` and `reject`."] };
  const judged = await judgeChange(change, ground, limits);
  if ("faults" in judged) return judged;
  return { plan: { ...judged.plan, evidence: toEvidence(planning, budget, judged.touchesPolicies) } };
}

function toEvidence({ model, limits }: Planning, budget: Budget, touchesPolicies: boolean): Json {
  const { turns, tokens, cost, wallMs } = limits;
  return {
    planner: "model",
    model,
    ...budget.used(),
    limits: { turns, tokens, cost, wallMs },
    touchesPolicies,
  };
}

function giveUp({ model, redactor }: Planning, faults: readonly string[], budget: Budget): RejectPlan {
  return {
    kind: "reject",
    isGivenUp: true,
    reason: `The model \`${model}\` has submitted no plan that can be taken: ${redactor.text(faults.join(" "))} ${showUsed(budget)}`,
    accepted: "Say in the message which tool should do what differently, or propose the change as a pull request.",
  };
}

function toLimitReached(model: string, limit: string, budget: Budget): RejectPlan {
  return {
    kind: "reject",
    isGivenUp: true,
    reason: `Planning with the model \`${model}\` has reached its limit of ${limit} without a plan. ${showUsed(budget)}`,
    accepted: "Ask for less at once, or name the tools and files that it is about.",
  };
}

function showUsed(budget: Budget): string {
  const { turns, inputTokens, outputTokens, estimated } = budget.used();
  const how = estimated ? " (partly estimated)" : "";
  return `It took ${turns} turns, ${inputTokens} tokens of input and ${outputTokens} of output${how}.`;
}

/** An answer with its calls, and what came of each. */
function toMessages(text: string, calls: ModelAnswer["calls"], results: readonly string[]): readonly ModelMessage[] {
  return [
    {
      role: "assistant",
      content: [
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
        ...calls.map(({ id, name, input }) => ({
          type: "tool-call" as const,
          toolCallId: id,
          toolName: name,
          input: input ?? {},
        })),
      ],
    },
    {
      role: "tool",
      content: calls.map(({ id, name }, index) => ({
        type: "tool-result" as const,
        toolCallId: id,
        toolName: name,
        output: { type: "text" as const, value: results[index] ?? "" },
      })),
    },
  ];
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal });
}
