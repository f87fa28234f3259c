import { CairnError } from "../../../../errors.ts";
import { isPolite, trimSentence } from "../../directives/politeness.ts";
import { isScope } from "../../../message/find-application.ts";
import { maskQuotations } from "../../../message/find-quotations.ts";
import { ownSentences, readMessage } from "../../../message/read-message.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { ChangePlan, Plan, TunePlan } from "../../plan.ts";
import { saysOnlyThat } from "../documents/says-only-that.ts";
import { isStay } from "../is-stay.ts";
import type { Places, Thing } from "../places/places.ts";
import { toAnswer, toReadings } from "../readings.ts";
import { ALREADY, type Reader, type Tried, work } from "../try-choices.ts";
import { findList, type Group } from "./find-list.ts";
import { type Heading, readHeading } from "./read-heading.ts";
import { isBare, tellItem } from "./tell-item.ts";

/** What a text asks for by itself. */
export interface Outcome {
  readonly plan: Plan | undefined;
  /** What is done at once; absent where the sender has to be asked. */
  readonly deeds?: readonly Deed[] | undefined;
  /** The likeliest of what can be done. */
  readonly likely?: Tried | undefined;
}

/** What a text is read with. */
export interface Around {
  readonly places: Places;
  readonly reader: Reader;
  /** Reads a sentence as if it were a message of its own. */
  readonly read: (text: string) => Promise<Outcome>;
}

/** A part of a text, as it is understood. */
export interface Item {
  readonly deeds: readonly Deed[];
  readonly isSure: boolean;
}

/** Least probability of what an item without a sure reading is offered as. */
const LIKELY = 0.4;
const NOTHING =
  /^(?:nothing|no(?:ne)?|all|everything|the rest|others?|sonst|nichts)\b.{0,30}(?:else|other|rest|same|stays?|as (?:it )?is|unchanged|nichts|bleibt)/iu;

/** What a list asks for. */
export interface Listed {
  readonly plan: Plan | undefined;
  /** True: the message is a list whose items have marks, or whose heading says what they are about, so that each of them counts. */
  readonly isList: boolean;
}

const NO_LIST: Listed = { plan: undefined, isList: false };

/** Says of an item that it is not settled yet. */
const UNSETTLED =
  /(?<![\w.:-])(?:tb[dc]|to be (?:decided|confirmed|discussed|checked)|to ?do|wip|pending|undecided|unsure|not sure|ideas?|proposals?|proposed|suggestions?|suggested|later|yet|tried|rejected)(?![\w.:-])|[?？]/iu;

/**
 * Plans a list of which every item is understood as one change: at once where each is sure by itself, with what the heading
 * says of it, and otherwise as what is offered. Plans nothing where something of it is not understood.
 */
export async function planList(text: string, around: Around): Promise<Listed> {
  const list = findList(text);
  if (list === undefined) return NO_LIST;
  const headings = list.groups.map(({ heading }) => readHeading(heading, around.places));
  const isHeaded = headings.some(
    (one, at) => one?.kind !== "none" && /[:：]\s*$/u.test(list.groups[at]?.heading ?? ""),
  );
  const isList = isHeaded || list.isMarked;
  const isWhole = isBland(list.behind) && saysOnlyThat(readMessage(list.before));
  const items: Item[] = [];
  for (const [at, { heading, items: own }] of list.groups.entries()) {
    const read = headings[at];
    const kept = own.filter((item) => !isLeft(item));
    const found = read === undefined || !isWhole ? undefined : await readGroup({ heading, items: kept }, read, around);
    if (found === undefined) return { plan: undefined, isList };
    items.push(...found);
  }
  const isOpen = !isBland(list.before) || UNSETTLED.test(maskQuotations(text));
  const isLoose = headings.some((one) => one?.kind === "none" && one.isLoose === true);
  const told = isOpen || isLoose ? items.map(toUnsure) : items;
  return { plan: told.length === 0 ? undefined : await finish(told, around.reader), isList };
}

async function finish(items: readonly Item[], reader: Reader): Promise<Plan | undefined> {
  const plan = await workAll(items, reader);
  if (plan === undefined) return undefined;
  return items.every(({ isSure }) => isSure)
    ? plan
    : toAnswer(toReadings([{ plan, share: 1 }], reader.most), undefined);
}

/** Plans what parts of a text ask for together; undefined where that cannot be carried out. */
export async function workAll(items: readonly Item[], reader: Reader): Promise<ChangePlan | TunePlan | undefined> {
  try {
    return await work(
      reader,
      items.flatMap(({ deeds }) => deeds),
    );
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

async function readGroup(group: Group, heading: Heading, around: Around): Promise<readonly Item[] | undefined> {
  const count = heading.kind === "none" || heading.kind === "things" ? heading.count : undefined;
  const isMiscounted = count !== undefined && count !== group.items.length;
  if (heading.kind !== "things") {
    const items = await readItems(group.items, (item) => tellItem(item, heading), undefined, around);
    return isMiscounted ? items?.map(toUnsure) : items;
  }
  const read: (readonly Item[])[] = [];
  for (const thing of heading.things) {
    const items = await readItems(group.items, (item) => tellItem(item, heading, thing), thing, around);
    const isOpen = group.items.some((item) => isBare(item, heading, thing));
    if (items !== undefined) read.push(isOpen || isMiscounted ? items.map(toUnsure) : items);
  }
  const sure = read.filter((items) => items.every(({ isSure }) => isSure));
  const [first = read[0], second] = sure;
  // Two things of that name, and each item fits both of them.
  return second === undefined ? first : first?.map(toUnsure);
}

function toUnsure(item: Item): Item {
  return { ...item, isSure: false };
}

async function readItems(
  items: readonly string[],
  tell: (item: string) => readonly string[],
  thing: Thing | undefined,
  around: Around,
): Promise<readonly Item[] | undefined> {
  const found: Item[] = [];
  for (const item of items) {
    const one = await readItem(tell(item), thing, around);
    if (one === undefined) return undefined;
    found.push(one);
  }
  return found;
}

/** What an item asks for, told as a sentence of its own in one of several ways; undefined where that is nothing. */
async function readItem(
  ways: readonly string[],
  thing: Thing | undefined,
  { read }: Around,
): Promise<Item | undefined> {
  let likely: Tried | undefined;
  for (const way of ways) {
    const outcome = await read(way);
    const { plan, deeds } = outcome;
    if (plan?.kind === "reject" && plan.reason.startsWith(ALREADY)) return { deeds: [], isSure: true };
    if (deeds !== undefined && plan !== undefined && isWithin(plan, thing)) return { deeds, isSure: true };
    const other = outcome.likely;
    if (other?.plan === undefined || other.share < LIKELY || !isWithin(other.plan, thing)) continue;
    if (likely === undefined || other.share > likely.share) likely = other;
  }
  return likely === undefined ? undefined : { deeds: likely.choice.deeds, isSure: false };
}

/** Tells whether a plan only changes the file of a thing, or what policies say of it. */
function isWithin(plan: Plan, thing: Thing | undefined): boolean {
  if (thing === undefined || plan.kind !== "change") return thing === undefined || plan.kind === "tune";
  return [...plan.files.keys()].every((file) => file === thing.file || /^(?:tools|test)\//.test(file));
}

/** Tells whether an item says that something, or all else, stays as it is. */
function isLeft(item: string): boolean {
  return isStay(item) || NOTHING.test(item);
}

function isBland(text: string): boolean {
  const message = readMessage(text);
  return (
    ownSentences(message).every((one) => isPolite(trimSentence(one.text)) || isScope(one.text)) &&
    message.segments.every(({ kind }) => kind === "sentence")
  );
}
