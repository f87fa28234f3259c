import { parse } from "yaml";
import { diffValues } from "../../../../examples/diff-values.ts";
import { maskQuotations } from "../../../message/find-quotations.ts";
import { ownSentences, readMessage } from "../../../message/read-message.ts";
import type { ChangePlan, TunePlan } from "../../plan.ts";
import type { Outcome } from "../lists/plan-list.ts";
import { REFERRING } from "../plain/reasons.ts";
import { SUCH } from "../heard.ts";
import { type Standing, standingOf } from "../standing.ts";
import type { Reader } from "../try-choices.ts";
import { splitAt } from "./split-at.ts";

/** Words that join parts of a message, with those that may go along. */
const JOINT = String.raw`\s+(?:and|plus|then|but|so|while|und|sowie|y|e|et|mais|pero)\s+(?:(?:also|then)\s+)?`;
/** Between parts of a message that each may be a wish. */
const BETWEEN = new RegExp(String.raw`[,;:]\s+|\s+[–—-]\s+|\n+|,?${JOINT}|，|；|。|(?:并且|而且|另外|同时)`, "iu");
/** Of these, between parts that each may list what they are about: "add nl and es, and its cost can go down". */
const WIDELY_BETWEEN = new RegExp(String.raw`[,;]${JOINT}|;\s+|\n+|；`, "iu");
/** Parts that are read, at most; a message of more is read by its sentences alone. */
const PARTS = 8;
/** Words of a part that may be a wish of its own, at least. */
const WORDS = 3;
const ORDERING: ReadonlySet<Standing> = new Set(["order", "negation"]);
/** Beginnings of parts that want one more of something, without a verb: "and an audience seniors". */
const MORE =
  /^\W*(?:(?:and|also|plus|und|y|et) )*(?:an?|another|one more|new|additional|extra|ein\w*|una?|une|unos?|un)\s/iu;
/** Least probability of what a part asks for where that is not sure. */
const LIKELY = 0.6;
/** Beginnings of parts that only say more of another one. */
const WITHIN = /^\W*(?:with|without|for|in|on|at|to|as|of|by|from|mit|für|con|para|avec|pour)\b/iu;
/** Places that change along with others. */
const ALONG = /^\/(?:version|examples)(?:\/|$)/;

/**
 * Tells whether a part of a message, sent by itself, would surely change something that the plan of the whole message does not. So
 * nothing is done by halves, whatever a message's wishes are joined by.
 */
export async function leavesPart(
  text: string,
  plan: ChangePlan | TunePlan,
  ground: Reader["ground"],
  read: (part: string) => Promise<Outcome>,
): Promise<boolean> {
  let done: readonly string[] | undefined;
  for (const part of listParts(text)) {
    const own = wantedOf(part, await read(part));
    if (own === undefined) continue;
    done ??= await placesOf(plan, ground);
    const places = await placesOf(own, ground);
    if (places.some((place) => !done?.some((one) => isWithin(one, place) || isWithin(place, one)))) return true;
  }
  return false;
}

/** What a part surely asks for, or likely, where it is an order. */
function wantedOf(part: string, { plan, deeds, likely }: Outcome): ChangePlan | TunePlan | undefined {
  if (deeds !== undefined && plan !== undefined && plan.kind !== "reject") return plan;
  const isLikely = likely !== undefined && likely.share >= LIKELY;
  const isOrder = () =>
    MORE.test(part) || ownSentences(readMessage(part)).some((sentence) => ORDERING.has(standingOf(sentence)));
  return isLikely && isOrder() ? likely.plan : undefined;
}

/** The sentences of a message, if there are several, and the parts of each, but those that speak of what others name. */
function listParts(text: string): readonly string[] {
  const sentences = ownSentences(readMessage(text)).map((sentence) => sentence.text);
  const whole = sentences.length > 1 ? sentences : [];
  const pieces = sentences.flatMap((sentence) => {
    const ways = [splitAt(sentence, WIDELY_BETWEEN), splitAt(sentence, BETWEEN)];
    return ways.flatMap((own) => (own.length > 1 ? own : []));
  });
  const all = whole.length + pieces.length > PARTS ? whole : [...whole, ...pieces];
  return [...new Set(all)].filter((part) => {
    const isLong = part.split(/\s+/u).length >= WORDS || /\p{Script=Han}{4}/u.test(part);
    if (!isLong || WITHIN.test(part)) return false;
    const masked = maskQuotations(part);
    return !REFERRING.test(masked) && !SUCH.test(masked);
  });
}

/** The places that a plan changes for their own sake: pointers into files, files, and experiments. */
async function placesOf(plan: ChangePlan | TunePlan, ground: Reader["ground"]): Promise<readonly string[]> {
  if (plan.kind === "tune")
    return plan.adjustments.map((one) =>
      "experiment" in one ? (ground.version.parameters.get(one.experiment)?.file ?? one.experiment) : one.kind,
    );
  const places: string[] = [];
  for (const [path, text] of plan.files) {
    const before = await ground.readText(path);
    if (text === null || before === undefined || !path.endsWith(".yaml")) places.push(path);
    else
      for (const one of diffValues(parse(before), parse(text)))
        // Items of lists change their places.
        if (!ALONG.test(one.path)) places.push(`${path}#${one.path.replace(/\/\d+(?:\/.*)?$/s, "")}`);
  }
  return places;
}

function isWithin(place: string, whole: string): boolean {
  return place === whole || place.startsWith(`${whole}/`) || place.startsWith(`${whole}#`);
}
