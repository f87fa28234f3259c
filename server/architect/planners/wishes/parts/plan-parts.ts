import type { ChangePlan, Plan, Reading, TunePlan } from "../../plan.ts";
import { type Heard, isTakenBack } from "../heard.ts";
import { addsWish } from "../leaves-sentence.ts";
import { type Around, type Item, workAll } from "../lists/plan-list.ts";
import { readClause } from "../clause.ts";
import { toAnswer, toReadings } from "../readings.ts";
import { type Stance, stanceOf } from "../stance.ts";
import { type Part, tellApart, toParts } from "./to-parts.ts";

/** Least probability of what a part without a sure reading is offered as. */
const LIKELY = 0.3;
/** Words with which a part may change what another says, or leave it open. */
const BINDING =
  /\b(?:if|unless|until|till|before|after|when|while|only|except|instead|but|however|not|never|maybe|perhaps|once|later|first|wenn|falls|nicht|aber|si|pero|no|quand|mais|ne)\b|n['’]t\b|[?？]/iu;

/** Sentences that ask for something, at most. */
const SENTENCES = 5;
/** Stances of sentences that leave what others ask for as it is. */
const HARMLESS: ReadonlySet<Stance> = new Set(["asks", "tells"]);

/**
 * Plans a message that asks for several things part by part, each with what the first part names: at once where each part is
 * sure by itself and nothing binds them, and otherwise as the first of what is offered. Where a further wish is not understood, says so
 * beside what is offered. Undefined where another part is not.
 */
export async function planParts(
  heard: readonly Heard[],
  otherwise: Plan | undefined,
  around: Around,
): Promise<Plan | undefined> {
  const asking = heard.filter((one) => stanceOf(one) === "asks").map(({ sentence }) => sentence.text);
  if (asking.length > SENTENCES || (asking.length === 1 && heard.length > 1)) return undefined;
  const { meant, unread } =
    asking.length > 1
      ? await readSentences(asking, around)
      : await readParts(toParts(asking[0] ?? "", around.places), around);
  const before = otherwise?.kind === "reject" ? (otherwise.readings ?? []) : [];
  if (unread !== undefined)
    return addsWish(unread) && before.length > 0
      ? toAnswer(before, undefined, `It is not clear what "${unread}" asks for, so nothing was done.`)
      : undefined;
  const whole = meant.length === 0 ? undefined : await workAll(meant, around.reader);
  // What one part sets, another one sets again.
  if (whole === undefined || countChanges(whole) < meant.reduce((sum, { changes }) => sum + changes, 0))
    return undefined;
  const isBound =
    heard.length > 1
      ? isTakenBack(heard) || !heard.every((one) => HARMLESS.has(stanceOf(one)))
      : BINDING.test(heard[0]?.sentence.text ?? "");
  if (!isBound && meant.every(({ isSure }) => isSure)) return whole;
  // Sentences of which none is sure may be one wish.
  const isGuessed = asking.length > 1 && !meant.some(({ isSure }) => isSure);
  return isGuessed ? undefined : offerFirst(whole, before, around.reader.most);
}

/** Offers a plan before other readings. */
function offerFirst(plan: ChangePlan | TunePlan, before: readonly Reading[], most: number): Plan | undefined {
  const [first] = toReadings([{ plan, share: 1 }], 1);
  if (first === undefined) return undefined;
  const all = [first, ...before.filter(({ title }) => title !== first.title)];
  return toAnswer(
    all.slice(0, most).map((reading, at) => ({ ...reading, id: (["a", "b", "c"] as const)[at] ?? "c" })),
    undefined,
  );
}

/** What the parts of a message ask for, and the first of them that is not understood. */
interface Understood {
  readonly meant: readonly Meant[];
  readonly unread?: string | undefined;
}

/** Reads each of some sentences, or else the parts that it is made of. */
async function readSentences(sentences: readonly string[], around: Around): Promise<Understood> {
  const meant: Meant[] = [];
  for (const [at, sentence] of tellApart(sentences, around.places).entries()) {
    const whole = await readPart(sentence, around);
    const parts = whole?.isSure === true ? [] : toParts(sentence.text, around.places);
    const found = await readParts(parts, around);
    if (parts.length > 0 && found.unread === undefined) meant.push(...found.meant);
    else if (whole !== undefined) meant.push(whole);
    else return { meant, unread: sentences[at] };
  }
  return { meant };
}

async function readParts(parts: readonly Part[], around: Around): Promise<Understood> {
  const meant: Meant[] = [];
  for (const part of parts) {
    const one = await readPart(part, around);
    if (one === undefined) return { meant, unread: part.text };
    meant.push(one);
  }
  return { meant };
}

/** A part as it is understood. */
interface Meant extends Item {
  /** How many things it changes. */
  readonly changes: number;
}

/** What a part asks for; undefined where that is nothing, or of another tool than the one that it was read with. */
async function readPart({ text, file }: Part, { read, places }: Around): Promise<Meant | undefined> {
  const { plan, deeds, likely } = await read(text);
  if (deeds !== undefined && plan !== undefined && plan.kind !== "reject" && isWithin(plan, file))
    return { deeds, isSure: true, changes: countChanges(plan) };
  // Names alone take no tool away.
  const isTaken = likely?.choice.names.some((name) => /^remove [^\s/]+$/.test(name)) === true;
  if (isTaken && readClause(text, places).actions.size === 0) return undefined;
  if (likely?.plan === undefined || likely.share < LIKELY || !isWithin(likely.plan, file)) return undefined;
  return { deeds: likely.choice.deeds, isSure: false, changes: countChanges(likely.plan) };
}

function countChanges(plan: ChangePlan | TunePlan): number {
  return plan.kind === "change" ? plan.changes.length : plan.adjustments.length;
}

function isWithin(plan: Plan, file: string | undefined): boolean {
  if (file === undefined || plan.kind !== "change") return file === undefined;
  return [...plan.files.keys()].every((path) => path === file || /^(?:tools|test)\//.test(path));
}
