import { CairnError } from "../server/errors.ts";
import { createBench } from "../server/architect/planners/directives/bench.ts";
import { createManifestCheck } from "../server/architect/planners/directives/check-manifests.ts";
import type { Plan } from "../server/architect/planners/plan.ts";
import type { Ground } from "../server/architect/planners/planner.ts";
import { mayWish, ownText, speechOf } from "../server/architect/planners/wishes/choices.ts";
import { readClause } from "../server/architect/planners/wishes/clause.ts";
import { guess, type Likely } from "../server/architect/planners/wishes/guess/guess.ts";
import { readPlain } from "../server/architect/planners/wishes/plain/read-plain.ts";
import { hear } from "../server/architect/planners/wishes/heard.ts";
import { listPlaces } from "../server/architect/planners/wishes/places/list-places.ts";
import type { FeedbackMessage } from "../test/evaluation/checks.ts";
import { EVERYBODY, readAll, type Sent } from "./fit-feedback-sets.ts";
import { judge } from "./judge-feedback.ts";

/**
 * Fits the weights of signs (`server/architect/planners/wishes/guess/signs.ts`) to the messages that may be looked at, and
 * shows what comes of messages to an agent by weights that were fitted without that agent: `node scripts/fit-feedback.ts`.
 * The model is a conditional logit: of all guesses and "none of them", the right one is to be the likeliest.
 */
const CANDIDATES = 60;
const STEPS = 1200;
const RATE = 0.05;
/** Strength that holds weights near 0. */
const RIDGE = 1;

interface Candidate {
  readonly signs: Readonly<Record<string, number>>;
  readonly isRight: boolean;
}

interface Item {
  readonly agent: string;
  readonly message: FeedbackMessage;
  readonly candidates: readonly Candidate[];
}

const check = createManifestCheck();

async function toItem({ agent, message, ground, before }: Sent): Promise<Item> {
  const places = listPlaces(ground.version);
  const heard = hear(readPlain(message.message, places), places);
  const guesses = mayWish(heard) ? guess(readClause(ownText(heard), places), places, undefined, speechOf(heard)) : [];
  const candidates: Candidate[] = [];
  for (const one of guesses.slice(0, CANDIDATES)) {
    const plan = await workOut(one, ground);
    if (plan === undefined) continue;
    const isRight =
      plan === "already"
        ? message.kind === "already"
        : judge(plan, { ...message, expected: message.expected === "ask" ? "change" : message.expected }, before) ===
          "right";
    candidates.push({
      signs: one.signs as Record<string, number>,
      isRight,
    });
  }
  return { agent, message, candidates };
}

/** The plan of a guess; undefined where it cannot be carried out. */
async function workOut({ deed }: Likely, ground: Ground): Promise<Plan | "already" | undefined> {
  try {
    const bench = createBench(ground);
    await deed(bench);
    const plan = bench.toPlan();
    if (plan.kind === "change") await check(plan.files, ground);
    return plan;
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return error.message.startsWith("This version is like that already") ? "already" : undefined;
  }
}

/** An item as numbers: a row of signs for each candidate. */
interface Rows {
  readonly item: Item;
  readonly rows: readonly Float64Array[];
  readonly targets: readonly number[];
}

function toRows(item: Item, signs: readonly string[]): Rows {
  const rows = item.candidates.map((one) => Float64Array.from(signs, (sign) => one.signs[sign] ?? 0));
  const right = item.candidates.filter(({ isRight }) => isRight).length;
  return { item, rows, targets: item.candidates.map(({ isRight }) => (isRight ? 1 / right : 0)) };
}

function sharesOf({ rows }: Rows, weights: Float64Array): readonly number[] {
  const exps = rows.map((row) => Math.exp(row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)));
  const sum = 1 + exps.reduce((total, one) => total + one, 0);
  return exps.map((one) => one / sum);
}

/** Weights of the least loss, by Adam. */
function fit(all: readonly Rows[], size: number): Float64Array {
  const [weights, mean, square] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= STEPS; step += 1) {
    const slope = weights.map((weight) => (RIDGE * weight) / all.length);
    for (const one of all) {
      const shares = sharesOf(one, weights);
      for (const [index, row] of one.rows.entries()) {
        const by = ((shares[index] ?? 0) - (one.targets[index] ?? 0)) / all.length;
        for (let at = 0; at < size; at += 1) slope[at] = (slope[at] ?? 0) + by * (row[at] ?? 0);
      }
    }
    for (let at = 0; at < size; at += 1) {
      const by = slope[at] ?? 0;
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * by;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * by * by;
      const [first, second] = [(mean[at] ?? 0) / (1 - 0.9 ** step), (square[at] ?? 0) / (1 - 0.999 ** step)];
      weights[at] = (weights[at] ?? 0) - (RATE * first) / (Math.sqrt(second) + 1e-8);
    }
  }
  return weights;
}

/** The place of the right candidate of each item, by weights that were fitted without its agent; -1 where none is right. */
function crossValidate(all: readonly Rows[], size: number) {
  return EVERYBODY.flatMap((agent) => {
    const weights = fit(
      all.filter(({ item }) => item.agent !== agent),
      size,
    );
    return all
      .filter(({ item }) => item.agent === agent)
      .map((one) => {
        const shares = sharesOf(one, weights);
        const order = shares.map((_, at) => at).sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0));
        return order.findIndex((at) => one.item.candidates[at]?.isRight === true);
      });
  });
}

const items = await readAll(toItem);
const signs = [
  ...new Set(items.flatMap(({ candidates }) => candidates.flatMap((one) => Object.keys(one.signs)))),
].sort();
const all = items.filter(({ candidates }) => candidates.length > 0).map((item) => toRows(item, signs));
const judged = crossValidate(all, signs.length);
const say = (line: string) => process.stdout.write(`${line}\n`);
say(`${items.length} messages, ${judged.length} with guesses; without the message's agent:`);
for (const most of [1, 2, 3])
  say(`right among the first ${most}: ${judged.filter((at) => at >= 0 && at < most).length}`);
const weights = fit(all, signs.length);
say(signs.map((sign, at) => `  ${sign}: ${(weights[at] ?? 0).toFixed(2)},`).join("\n"));
