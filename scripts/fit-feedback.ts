import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SURE, isSure } from "../server/architect/planners/wishes/guess/is-sure.ts";
import {
  type Model,
  sharesOf as operationShares,
  writeModel,
} from "../server/architect/planners/wishes/learned/model.ts";
import { operationSigns } from "../server/architect/planners/wishes/learned/operation-signs.ts";
import { collectGuesses, EVERYBODY, type Item } from "./collect-guesses.ts";
import { fitOperations } from "./fit-operations.ts";
import { fitSigns, type Rows, sharesOf, toRows } from "./fit-signs.ts";

/**
 * Fits what is learned of messages: the model of operations (`wishes/learned/weights.ts`), and the weights of signs
 * (`wishes/guess/signs.ts`), and writes both: `npm run fit:feedback`. Shows how messages to an agent are understood by what
 * was learned without that agent. The signs of operations that the weights are fitted to were learned without it, too.
 */
const WISHES = join(import.meta.dirname, "../server/architect/planners/wishes");
const LINES = 200;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** An item with the signs of operations that a model gives which has not seen its agent. */
function withOperations(item: Item, model: Model): Item {
  const shares = operationShares(model, new Set(item.features));
  const candidates = item.candidates.map((one) => ({
    ...one,
    signs: { ...one.signs, ...(operationSigns(shares, one.name) as Readonly<Record<string, number>>) },
  }));
  return { ...item, candidates };
}

interface Judged {
  readonly isWish: boolean;
  /** The place of the right guess; -1: it is not among them. */
  readonly at: number;
  readonly isDone: boolean;
}

function judgeItem(item: Item, rows: Rows, weights: Float64Array): Judged {
  const shares = sharesOf(rows, weights);
  const order = shares.map((_, at) => at).sort((one, other) => (shares[other] ?? 0) - (shares[one] ?? 0));
  const [first = -1] = order;
  const likeliest = item.candidates[first];
  return {
    isWish: item.message.expected !== "reject" && item.message.checks.length > 0,
    at: order.findIndex((at) => item.candidates[at]?.isRight === true),
    isDone:
      likeliest !== undefined && (shares[first] ?? 0) >= SURE && isSure(item.clause, likeliest.signs, likeliest.name),
  };
}

function showJudged(title: string, judged: readonly Judged[]): void {
  const wishes = judged.filter(({ isWish }) => isWish);
  const among = (most: number) => wishes.filter(({ at }) => at >= 0 && at < most).length;
  const done = judged.filter(({ isDone }) => isDone);
  say(
    `${title.padEnd(10)}${judged.length} messages, ${wishes.length} wishes: right guess first ${among(1)}, among three ${among(3)}, among all ${among(Infinity)}; done ${done.length}, of these wrongly ${done.filter(({ at }) => at !== 0).length}`,
  );
}

function writeWeights(model: Model): void {
  const text = writeModel(model, LINES).replaceAll(/[\\`]|\$\{/g, (found) => `\\${found}`);
  const head =
    "/** The model of operations, as `readModel` reads it; made by `npm run fit:feedback` of the messages that may be looked at. */\n";
  writeFileSync(join(WISHES, "learned/weights.ts"), `${head}export const WEIGHTS = \`${text}\`;\n`);
}

function writeSigns(weights: ReadonlyMap<string, number>): void {
  const file = join(WISHES, "guess/signs.ts");
  const text = readFileSync(file, "utf8").replaceAll(
    /^ {2}(\w+): -?[\d.]+,$/gm,
    (_, sign: string) => `  ${sign}: ${Number((weights.get(sign) ?? 0).toFixed(2))},`,
  );
  writeFileSync(file, text);
}

const collected = await collectGuesses();
const without = new Map(
  EVERYBODY.map((agent) => [agent, fitOperations(collected.filter((one) => one.agent !== agent))]),
);
const items = collected.flatMap((item) => {
  const model = without.get(item.agent);
  return model === undefined ? [] : [withOperations(item, model)];
});
const signs = [
  ...new Set(items.flatMap(({ candidates }) => candidates.flatMap((one) => Object.keys(one.signs)))),
].sort();
const rows = new Map(items.map((item) => [item, toRows(item.candidates, signs)]));
const rowsOf = (chosen: readonly Item[]) =>
  chosen.flatMap((item) => {
    const own = rows.get(item);
    return own === undefined || own.rows.length === 0 ? [] : [own];
  });
const all: Judged[] = [];
for (const agent of EVERYBODY) {
  const weights = fitSigns(rowsOf(items.filter((one) => one.agent !== agent)), signs.length);
  const own = items.filter((one) => one.agent === agent);
  const judged = own.flatMap((item) => {
    const found = rows.get(item);
    return found === undefined ? [] : [judgeItem(item, found, weights)];
  });
  showJudged(agent, judged);
  all.push(...judged);
}
showJudged("in all", all);
const weights = fitSigns(rowsOf(items), signs.length);
writeSigns(new Map(signs.map((sign, at) => [sign, weights[at] ?? 0])));
writeWeights(fitOperations(collected));
