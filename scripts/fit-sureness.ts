import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { createManifestCheck } from "../server/architect/planners/directives/check-manifests.ts";
import { listChoices, mayWish, ownText } from "../server/architect/planners/wishes/choices.ts";
import { readClause } from "../server/architect/planners/wishes/clause.ts";
import { hear, isTakenBack } from "../server/architect/planners/wishes/heard.ts";
import { toFeatures } from "../server/architect/planners/wishes/kinds/features.ts";
import { kindsOf } from "../server/architect/planners/wishes/kinds/kinds-of.ts";
import { toPieces } from "../server/architect/planners/wishes/kinds/pieces.ts";
import { findObjections } from "../server/architect/planners/wishes/objections.ts";
import { listPlaces } from "../server/architect/planners/wishes/places/list-places.ts";
import { readPlain } from "../server/architect/planners/wishes/plain/read-plain.ts";
import { toKindMarks, toMarks } from "../server/architect/planners/wishes/sureness/marks.ts";
import { tryAll } from "../server/architect/planners/wishes/try-choices.ts";
import type { FeedbackMessage } from "../test/evaluation/checks.ts";
import { readAll, type Sent } from "./fit-feedback-sets.ts";
import { fitKinds, type KindModel, scoreKinds, toKindFile } from "./fit-kinds.ts";
import { fitForest, probabilityOf, type Sample, toForestFile } from "./fit-trees.ts";
import { judge } from "./judge-feedback.ts";

/**
 * Fits what takes a second look at readings (`server/architect/planners/wishes/kinds/model.json` and `sureness/forest.json`) to the messages
 * that may be looked at, and shows how many readings are right before some are wrong, by models of other authors: `npm run fit:sureness`. A
 * thread for each core reads the messages, which takes half an hour on two.
 */
const WISHES = join(import.meta.dirname, "../server/architect/planners/wishes");
const FOLDS = 6;
/** Numbers of wrong readings at which the right ones are counted. */
const WRONG: ReadonlySet<number> = new Set([5, 10, 20, 40, 80]);
/** Messages after which a thread says how far it is. */
const PROGRESS = 500;
/** Readings of a message that are worked out. */
const MOST = 8;

/** A message as it was read. */
interface Item {
  readonly author: string;
  readonly features: readonly string[];
  /** Kinds of change that it wants, or none, or what is not clear; absent where none of its readings is right. */
  readonly kinds: readonly string[] | undefined;
  /** The reading that is worked out first, where it can be done unasked. */
  readonly first: First | undefined;
}

/** A reading with the marks that no classifier gives. */
interface First {
  readonly marks: readonly number[];
  readonly kinds: readonly string[];
  readonly isRight: boolean;
}

const check = createManifestCheck();

async function toItem({ set, message, ground, before }: Sent): Promise<Item> {
  const text = message.message;
  const places = listPlaces(ground.version);
  const heard = hear(readPlain(text, places), places);
  const read = { text, heard, clause: readClause(ownText(heard), places), places };
  const choices = mayWish(heard) ? listChoices(read) : [];
  const tried = await tryAll({ ground, check, most: MOST }, choices);
  const asked: FeedbackMessage = { ...message, expected: message.expected === "ask" ? "change" : message.expected };
  const right = tried.find(({ plan }) =>
    plan === undefined ? message.kind === "already" : judge(plan, asked, before) === "right",
  );
  const [first] = tried;
  const isDoable = first?.plan !== undefined && !first.isSecond;
  const objections = isDoable ? findObjections({ ...first, mayBeTakenBack: isTakenBack(heard) }, read) : undefined;
  const pieces = toPieces(text, places);
  return {
    // The second part of an id is the author's name, or else that of the family.
    author: `${set} ${message.id.split("-")[1] ?? ""}`,
    features: [...toFeatures(pieces)],
    kinds: right === undefined ? idleKinds(message) : kindsOf(right.choice.names, places),
    first:
      first === undefined || objections === undefined
        ? undefined
        : {
            marks: toMarks({ text, choices, at: choices.indexOf(first.choice), objections, pieces: pieces.length }),
            kinds: kindsOf(first.choice.names, places),
            isRight: judge(first.plan, message, before) === "right",
          },
  };
}

function idleKinds({ expected }: FeedbackMessage): readonly string[] | undefined {
  return expected === "reject" ? ["none"] : expected === "ask" ? ["vague"] : undefined;
}

/** Reads all messages, each thread its share of them. */
async function readInThreads(): Promise<readonly Item[]> {
  const readers = availableParallelism();
  const shares = Array.from(
    { length: readers },
    (_, reader) =>
      new Promise<readonly Item[]>((resolve, reject) => {
        const worker = new Worker(new URL(import.meta.url), { workerData: { reader, readers } });
        worker.once("message", resolve).once("error", reject);
      }),
  );
  return (await Promise.all(shares)).flat();
}

function fitTo(items: readonly Item[]): KindModel {
  return fitKinds(items.flatMap(({ features, kinds }) => (kinds === undefined ? [] : [{ features, kinds }])));
}

/** The marks of a reading by a model that has not seen its author's messages. */
function toSample({ features, first }: Item, model: KindModel): Sample | undefined {
  if (first === undefined) return undefined;
  const reading = { scores: scoreKinds(model, features) };
  return { marks: [...first.marks, ...toKindMarks(reading, first.kinds)], isRight: first.isRight };
}

/** The numbers of right readings that are surer than the fifth, tenth ... wrong one. */
function countRight(judged: readonly { readonly isRight: boolean; readonly sureness: number }[]): string {
  let wrong = 0;
  return judged
    .toSorted((one, other) => other.sureness - one.sureness)
    .flatMap(({ isRight, sureness }, place) => {
      if (isRight) return [];
      wrong += 1;
      return WRONG.has(wrong) ? [`${place + 1 - wrong} (${wrong} wrong, from ${sureness.toFixed(3)})`] : [];
    })
    .join(", ");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function fit(): Promise<void> {
  const items = await readInThreads();
  const authors = [...new Set(items.map(({ author }) => author))].sort();
  const foldOf = new Map(authors.map((author, at) => [author, at % FOLDS]));
  const parts = Array.from({ length: FOLDS }, (_, fold) => items.filter(({ author }) => foldOf.get(author) === fold));
  const samples = parts.map((part) => {
    const model = fitTo(items.filter((one) => !part.includes(one)));
    return part.flatMap((one) => toSample(one, model) ?? []);
  });
  const judged = samples.flatMap((part) => {
    const forest = fitForest(samples.filter((one) => one !== part).flat());
    return part.map(({ marks, isRight }) => ({ isRight, sureness: probabilityOf(forest, marks) }));
  });
  say(
    `${items.length} messages, ${judged.length} with a reading; right ones by models of other authors: ${countRight(judged)}`,
  );
  writeFileSync(join(WISHES, "kinds/model.json"), toKindFile(fitTo(items)));
  writeFileSync(join(WISHES, "sureness/forest.json"), toForestFile(fitForest(samples.flat())));
}

/** Reads the share of this thread, and says how far it is. */
async function readShare(share: { readonly reader: number; readonly readers: number }): Promise<readonly Item[]> {
  let count = 0;
  return readAll(async (sent) => {
    const item = await toItem(sent);
    count += 1;
    if (count % PROGRESS === 0) say(`Thread ${share.reader}: ${count} messages are read.`);
    return item;
  }, share);
}

if (isMainThread) await fit();
else parentPort?.postMessage(await readShare(workerData as { readonly reader: number; readonly readers: number }), []);
