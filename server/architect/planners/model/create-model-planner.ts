import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { ModelMessage } from "ai";
import { createConcedingFetch, withSignature } from "../../../capabilities/model/open-provider.ts";
import type { ModelConfig } from "../../../config/config-model.ts";
import { CairnError } from "../../../errors.ts";
import { toHex } from "../../../identifiers.ts";
import type { Redactor } from "../../../log/redact.ts";
import type { Json } from "../../../store/store.ts";
import type { Feedback, Plan, RejectPlan } from "../plan.ts";
import type { Ground, Planner } from "../planner.ts";
import { type Budget, createBudget } from "./create-budget.ts";
import { createDataBlocks, type ToDataBlock } from "./create-data-blocks.ts";
import { createDrafts, type Drafts, type Judged } from "./create-drafts.ts";
import { createGuardedFetch } from "./create-guarded-fetch.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { MODEL_LIMITS, type ModelLimits } from "./model-limits.ts";
import { MODEL_TOOLS, runModelTool, SUBMIT, TRY } from "./model-tools.ts";
import { type Ask, type ModelAnswer, openEndpoint } from "./open-endpoint.ts";
import { openReading } from "./open-reading.ts";
import { createSubmissionReader } from "./read-submission.ts";
import { toFirstMessage, toSystemPrompt } from "./to-prompt.ts";
import { throwIfGivenUp } from "./throw-if-given-up.ts";
import { toPlain, toRejectPlan } from "./to-reject-plan.ts";

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

/** Characters of findings that a rejection shows. */
const BEST_SHOWN = 4_000;

/**
 * Plans with a model that may read files of the commit and then submits. Nothing that it submits is trusted: `guardPlan`
 * decides what becomes of it. Rejects with UPSTREAM_ERROR and UPSTREAM_TIMEOUT where the endpoint fails, and with CANCELLED where
 * the ground's signal aborts; a plan that takes more than its limits is a rejection.
 */
export function createModelPlanner(options: ModelPlannerOptions): Planner {
  const { model, now, redactor, limits = MODEL_LIMITS, fetch = globalThis.fetch, pause = wait } = options;
  const toShown = (text: string) => toPlain(text, redactor);
  const guarded = createGuardedFetch({ limits, fetch: createConcedingFetch(fetch), pause, toPlain: toShown });
  const ask = openEndpoint(model, guarded);
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
  const { now, redactor, limits, readSubmission } = planning;
  throwIfGivenUp(ground.signal);
  const budget = createBudget(limits, now);
  const boundary = toHex(randomBytes(16));
  const toDataBlock = createDataBlocks(boundary, redactor);
  const reading = openReading(ground, redactor, limits);
  const drafts = createDrafts({ feedback, ground, redactor, limits, readSubmission });
  const system = toSystemPrompt(boundary);
  const used = estimateTokens(system) + estimateTokens(JSON.stringify(MODEL_TOOLS));
  const first = await toFirstMessage(feedback, ground, reading, { toDataBlock, limits, redactor, used });
  const { attachments } = feedback;
  const shown = { reading, version: ground.version, attachments: attachments.slice(0, limits.attachments) };
  const messages: ModelMessage[] = [{ role: "user", content: first }];
  for (;;) {
    const answer = await takeTurn(planning, budget, { system, messages, signal: ground.signal });
    if ("kind" in answer) return withBest(answer, drafts, redactor);
    const calls = answer.calls.slice(0, limits.callsPerTurn);
    const submitted = calls.find(({ name }) => name === SUBMIT);
    const asked = submitted === undefined ? calls : [submitted];
    const results: string[] = [];
    for (const call of asked) {
      throwIfGivenUp(ground.signal);
      if (drafts.isSpent()) break;
      if (call.name !== SUBMIT && call.name !== TRY) {
        results.push(await runModelTool(call, shown, toDataBlock, limits));
        continue;
      }
      const judged = await drafts.judge(call.input);
      if ("plan" in judged && call.name === SUBMIT) return withEvidence(planning, judged.plan, budget, drafts);
      results.push(showJudged(judged, drafts, toDataBlock, limits));
    }
    if (asked.length === 0) {
      const judged = drafts.miss(`The answer is no plan: call \`${SUBMIT}\`, or a tool that reads.`);
      messages.push({ role: "assistant", content: answer.text || "(nothing)" });
      messages.push({ role: "user", content: showJudged(judged, drafts, toDataBlock, limits) });
    } else messages.push(...toMessages(answer.text, asked, results));
    if (drafts.isSpent()) return isMute(messages) ? toMute(planning, budget) : giveUp(planning, drafts, budget);
  }
}

/** Says how a draft came out. */
function showJudged(judged: Judged, drafts: Drafts, toDataBlock: ToDataBlock, { repairs }: ModelLimits): string {
  if ("faults" in judged) {
    const wrong = toDataBlock("what is wrong with the draft", judged.faults.join("\n"));
    return `That cannot be taken. Put it right, and try or submit the whole plan again; ${Math.max(0, repairs - drafts.count() + 1)} rounds are left.\n${wrong}`;
  }
  const waits = judged.approvals.length > 0 && toDataBlock("what somebody has to approve", judged.approvals.join("\n"));
  return `The draft holds. Submit it with \`${SUBMIT}\` if it is what the message asks for.${waits ? `\n${waits}` : ""}`;
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

function withEvidence({ model, limits }: Planning, made: Plan, budget: Budget, drafts: Drafts): Plan {
  if (made.kind !== "change") return made;
  const { turns, tokens, cost, wallMs, repairs } = limits;
  const touchesPolicies = [...made.files.keys()].some((path) => path.startsWith("manifests/policies/"));
  const evidence: Json = {
    planner: "model",
    model,
    ...budget.used(),
    repairs: drafts.count(),
    limits: { turns, tokens, cost, wallMs, repairs },
    touchesPolicies,
  };
  return { ...made, evidence };
}

function giveUp({ model, redactor }: Planning, drafts: Drafts, budget: Budget): RejectPlan {
  return {
    kind: "reject",
    isGivenUp: true,
    reason: `The model \`${model}\` has submitted no plan that can be taken: ${showBest(drafts, redactor)}\n${showUsed(budget)}`,
    accepted: "Say in the message which tool should do what differently, or propose the change as a pull request.",
  };
}

/** Tells whether no answer has called a tool, as of models that cannot, or endpoints that do not let them. */
function isMute(messages: readonly ModelMessage[]): boolean {
  return messages.every(({ role }) => role !== "tool");
}

function toMute({ model }: Planning, budget: Budget): RejectPlan {
  return {
    kind: "reject",
    isGivenUp: true,
    reason: `The model \`${model}\` has submitted no plan that can be taken: it has answered in words alone, and called no tool. ${showUsed(budget)}`,
    accepted: "It takes a model with tool calls, at an endpoint that offers them.",
  };
}

/** Adds to a rejection what was wrong with the draft that came nearest. */
function withBest(rejection: RejectPlan, drafts: Drafts, redactor: Redactor): RejectPlan {
  if (drafts.count() === 0) return rejection;
  return {
    ...rejection,
    reason: `${rejection.reason} The best draft had this against it: ${showBest(drafts, redactor)}`,
  };
}

/** The findings about the draft that came nearest, as the sender may see them. */
function showBest(drafts: Drafts, redactor: Redactor): string {
  const { reason } = toRejectPlan({ reason: drafts.best().join(" "), question: "" }, redactor);
  return reason.length > BEST_SHOWN ? `${reason.slice(0, BEST_SHOWN).toWellFormed()} …` : reason;
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
        ...calls.map(({ id, name, input, signature }) => ({
          type: "tool-call" as const,
          toolCallId: id,
          toolName: name,
          input: input ?? {},
          ...withSignature(signature),
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
