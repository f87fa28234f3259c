import { existsSync } from "node:fs";
import { join } from "node:path";
import { CairnError } from "../server/errors.ts";
import { readMessage } from "../server/architect/message/read-message.ts";
import type { Ground } from "../server/architect/planners/planner.ts";
import { ownText, speechOf, wishes } from "../server/architect/planners/wishes/choices.ts";
import { type Clause, readClause } from "../server/architect/planners/wishes/clause.ts";
import { guess, type Likely } from "../server/architect/planners/wishes/guess/guess.ts";
import { hear } from "../server/architect/planners/wishes/heard.ts";
import { toFeatures } from "../server/architect/planners/wishes/learned/features.ts";
import { operationAt, operationOf } from "../server/architect/planners/wishes/learned/operations.ts";
import { listPlaces } from "../server/architect/planners/wishes/places/list-places.ts";
import { AGENTS, type Check, type FeedbackMessage, NEWCOMERS } from "../test/evaluation/checks.ts";
import type { Candidate } from "./fit-signs.ts";
import { type Documents, EVALUATION, isTunedAsWanted, isWanted, loadAgent, readMessages } from "./judge-feedback.ts";
import { loadTrainingAgent, readTrainingMessages, TRAINING_AGENTS } from "./load-training.ts";
import { createSketch } from "./sketch-bench.ts";

/** Sets of messages that may be looked at, beside those for training. */
const SETS = ["development", "later", "registers", "newcomers/development"] as const;
/** Families whose messages are not read as wishes. */
const OTHER: ReadonlySet<string> = new Set(["document", "injection"]);
const CANDIDATES = 90;

export const EVERYBODY: readonly string[] = [...AGENTS, ...NEWCOMERS, ...TRAINING_AGENTS];

/** A message with what is guessed at it, and what it asks for. */
export interface Item {
  readonly agent: string;
  readonly message: FeedbackMessage;
  readonly clause: Clause;
  readonly features: readonly string[];
  readonly candidates: readonly (Candidate & { readonly name: string })[];
  /** The operations that it asks for; `none` where nothing is to be done. */
  readonly operations: readonly string[];
}

/** Guesses at all messages that may be looked at; those in other words for nothing to change have guesses, too, but no right one. */
export async function collectGuesses(): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const agent of EVERYBODY) {
    const isTraining = TRAINING_AGENTS.some((one) => one === agent);
    const { ground, before } = isTraining
      ? await loadTrainingAgent(agent)
      : await loadAgent(join(EVALUATION, "agents", agent));
    const files = SETS.map((set) => join(EVALUATION, "feedback", set, `${agent}.json`)).filter((file) =>
      existsSync(file),
    );
    const messages = isTraining ? readTrainingMessages(agent, before) : files.flatMap(readMessages);
    for (const message of messages)
      if (!OTHER.has(message.family)) items.push(await toItem(agent, message, ground, before));
  }
  return items;
}

async function toItem(agent: string, message: FeedbackMessage, ground: Ground, before: Documents): Promise<Item> {
  const places = listPlaces(ground.version);
  const heard = hear(readMessage(message.message), places);
  const clause = readClause(ownText(heard), places);
  const speech = speechOf(heard);
  const guesses = heard.some(wishes) ? guess(clause, places, undefined, speech) : [];
  const candidates: Item["candidates"][number][] = [];
  for (const one of guesses.slice(0, CANDIDATES)) {
    const isRight = await tryOut(one, message, ground, before);
    if (isRight !== undefined)
      candidates.push({ name: one.name, signs: one.signs as Readonly<Record<string, number>>, isRight });
  }
  return {
    agent,
    message,
    clause,
    features: [...toFeatures(clause, speech)],
    candidates,
    operations: toOperations(message, candidates),
  };
}

/** Tells whether a guess is the right one; undefined where it cannot be carried out, or it is so already. */
async function tryOut(
  { deed }: Likely,
  message: FeedbackMessage,
  ground: Ground,
  before: Documents,
): Promise<boolean | undefined> {
  const { bench, after, adjustments } = createSketch(ground, before);
  try {
    await deed(bench);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return undefined;
  }
  if (after.size === 0 && adjustments.length === 0) return message.kind === "already" ? true : undefined;
  return adjustments.length > 0
    ? isTunedAsWanted(adjustments, message.checks)
    : isWanted(after, message.checks, message, before);
}

function toOperations({ expected, checks }: FeedbackMessage, candidates: Item["candidates"]): readonly string[] {
  if (expected === "reject" || checks.length === 0) return ["none"];
  const right = candidates.find(({ isRight }) => isRight);
  return right === undefined ? checks.map(toOperation) : right.name.split(" & ").map(operationOf);
}

function toOperation(check: Check): string {
  if ("tune" in check) return "promote";
  const path = check.path.split("/").slice(1);
  switch (check.op) {
    case "absent":
      return operationAt(path, "absent");
    case "includes":
      return operationAt(path, "add");
    case "excludes":
      return operationAt(path, "remove");
    case "matches":
      return "description";
    default:
      return operationAt(path, "set");
  }
}
