import { findCode, toCode } from "../../directives/codes.ts";
import type { Clause } from "../clause.ts";
import { givesToAll } from "../drafts/gives-to-all.ts";
import { isNameOf } from "../drafts/draft.ts";
import { exactName } from "../guess/relevance.ts";
import { JOINT } from "../guess/values/value-runs.ts";
import type { Places } from "../places/places.ts";
import { UNITS } from "../words/units.ts";
import type { Token } from "../words/words.ts";

/** What a number is counted by, behind it: "30 per hour", "10 calls a day". */
const PACE =
  /^\W*(?:(?:calls|requests|times|units|credits|aufrufe|anfragen|einheiten|llamadas|appels)\s+)?(?:(?:per|an?|each|every|in an?|pro|je|por|al?|par|à l['’])\s+|\/\s*)(?<unit>\p{L}+)/iu;
const PACES: readonly (readonly [string, RegExp])[] = [
  ["second", /^(?:s|sec|second|sekunde|segundo|seconde)$/iu],
  ["minute", /^(?:m|min|minute|minuto)$/iu],
  ["hour", /^(?:h|hr|hour|stunde|hora|heure)$/iu],
  ["day", /^(?:d|day|tag|día|dia|jour)$/iu],
  ["week", /^(?:week|woche|semana|semaine)$/iu],
  ["month", /^(?:month|monat|mes|mois)$/iu],
];
/** What keys are counted by. */
const COUNTED: readonly (readonly [RegExp, string])[] = [
  [/#(?:\S*\/)?rate=/, "minute"],
  [/#(?:\S*\/)?dailyCost=/, "day"],
];
const MONEY =
  /^\s*(?:€|\$|£|%|(?:euros?|dollars?|pounds?|cents?|francs?|percent|per cent|prozent|pour ?cent|por ?ciento)(?!\p{L}))|^\s*(?:欧元|美元|元)/iu;
const MONEY_BEFORE = /[€$£]\s*$/u;
const WORDS = /^\s*(?:words?|wörter|palabras|mots)(?!\p{L})/iu;
/** Keys that are no money, and no part of anything. */
const NO_MONEY = /(?:#cost\/units|\/(?:max|min)(?:Length|Items))=/;
/** "It must never be off by default" wants it to be on. */
const NOT_OFF =
  /(?<!\p{L})(?:(?:nicht|nie(?:mals)?|keinesfalls|keineswegs|auf keinen fall|unter keinen umständen|niemand)(?!\p{L})[^.!?;:]*(?<!\p{L})(?:aus|ausgeschaltet|ausschalten|ausschaltet|abschalten|abgeschaltet|deaktivier\p{L}*)|(?:ne|n|jamais|pas|personne)(?!\p{L})[^.!?;:]*(?<!\p{L})désactiv\p{L}*|(?:no|nunca|jamás|nadie)(?!\p{L})[^.!?;:,]*(?<!\p{L})(?:desactiv|apag)\p{L}*|(?:not|never|n['’]t|nobody|no one)(?!\p{L})[^.!?;:,]*(?<!\p{L})(?:off|disabled?))(?!\p{L})|(?:不要|别|不能|不得|不应)[^，。；]*关/iu;
/** "Unless somebody says otherwise" turns nothing round. */
const OTHERWISE = /\bunless\b[^.!?;:,]*\b(?:otherwise|something else|the opposite)\b/iu;
/** "The host must no longer be permitted" lets nothing reach it. */
const BARRED =
  /(?<!\p{L})(?:no longer|no more|any ?more|(?:must|should|may|shall|can)(?: ?not|n['’]t)|nicht mehr|nicht länger|ya no|ne [^.!?]{1,40} plus)(?!\p{L})|不再|不能再/iu;
const HOST_COMES = /(?:#egress|^hosts of .*) \+ (?<hosts>\S+)/;
/** Verbs of what should be, which are no values. */
const MODALS =
  /^(?:should|must|shall|soll(?:en|te|ten)?|müssen|muss|deben?|deber[ií]an?|doivent|doit|devraient|devrait|hay|faltan?|faut|manquent?|fehl(?:t|en)|braucht?|brauchen|needs?|wants?)$/iu;
const ADDED = /\b(?:also|too|as well|plus|another|more|new|besides|extra|auch|zusätzlich|también|aussi)\b|还|也/iu;

/**
 * Makes a check of changes that a clause does not say at its word: a rate that it counts by the hour, money where nothing is paid, the
 * opposite of what must not be off, and a part of the values that it gives in full.
 */
export function toMisread(clause: Clause, places: Places): (names: readonly string[]) => boolean {
  const isTurned = NOT_OFF.test(clause.text) || OTHERWISE.test(clause.text);
  const isGiven = givesToAll(clause);
  const isMisread = (name: string) =>
    (isGiven && isOfArm(name, places)) ||
    isBarredHost(clause, name) ||
    isOtherPace(clause, name) ||
    isOtherKind(clause, name) ||
    (isTurned && /#\S+=(?:true|false)$/.test(name)) ||
    (/^require \S+\/input\//.test(name) && /\balways\b/iu.test(clause.text) && !clause.actions.has("require")) ||
    isOfSome(clause, name, places) ||
    isPartOfValues(clause, name, places) ||
    leavesValue(clause, name, places);
  return (names) => names.some(isMisread);
}

/** What stands before and behind the numbers of a clause that a change of that name sets. */
function besides({ text, tokens, amounts }: Clause, name: string): readonly (readonly [string, string, boolean])[] {
  const value = Number(/=(-?[\d.]+(?:e[+-]?\d+)?)$/.exec(name)?.[1]);
  if (Number.isNaN(value)) return [];
  return amounts.flatMap(({ value: own, unit, tokens: words }) => {
    const [first, last] = [tokens[words[0] ?? -1], tokens[words.at(-1) ?? -1]];
    const isPart = UNITS[unit ?? ""]?.of === "share";
    if (first === undefined || last === undefined || (own !== value && !isPart)) return [];
    return [[text.slice(0, first.start), text.slice(last.end), isPart] as const];
  });
}

/** "Everybody should get the brief length" is a wish for the arm that has it, and not for what goes for those beside the experiment. */
function isOfArm(name: string, { named }: Places): boolean {
  const [, id = "", value = ""] = /^(\S+#\S+)="?(.*?)"?$/s.exec(name) ?? [];
  const { set, parameter = "", kind } = named.get(id)?.thing ?? {};
  const arms = kind === "parameter" ? (set?.experiment?.arms ?? []) : [];
  return arms.some((arm) => String(arm.values[parameter]) === value);
}

/** Tells whether a change lets something reach a host that a sentence bars. */
function isBarredHost({ text }: Clause, name: string): boolean {
  const hosts = HOST_COMES.exec(name)?.groups?.["hosts"]?.split(",") ?? [];
  const sentences = text.split(/(?<=[.!?;])\s/u);
  return hosts.some((host) => sentences.some((one) => one.includes(host) && BARRED.test(one)));
}

/** "A rate limit of 30 per hour", where limits of rates are by the minute. */
function isOtherPace(clause: Clause, name: string): boolean {
  const counted = COUNTED.find(([pattern]) => pattern.test(name))?.[1];
  if (counted === undefined) return false;
  return besides(clause, name).some(([, behind]) => {
    const unit = PACE.exec(behind)?.groups?.["unit"] ?? "";
    const pace = PACES.find(([, pattern]) => pattern.test(unit))?.[0];
    return pace !== undefined && pace !== counted;
  });
}

/** "Returns cost 5 euros" says nothing of what a call costs, and "up to 20 euros" of no length. */
function isOtherKind(clause: Clause, name: string): boolean {
  if (!NO_MONEY.test(name)) return false;
  return besides(clause, name).some(
    ([before, behind, isPart]) =>
      isPart || MONEY.test(behind) || MONEY_BEFORE.test(before) || (name.includes("Length=") && WORDS.test(behind)),
  );
}

/** "Let managers place 20 orders per minute" is no limit of everybody's. */
function isOfSome({ tokens }: Clause, name: string, { things }: Places): boolean {
  if (!/#limits\/rate=/.test(name)) return false;
  const roles = things.flatMap(({ kind, role }) => (kind === "role" && role !== undefined ? [role.toLowerCase()] : []));
  return tokens.some(({ lower }) => roles.some((role) => lower === role || lower === `${role}s`));
}

/** The values that a change adds or removes, with the place that has them. */
function valuesOf(name: string, { named }: Places) {
  const [, id = "", verb = "", list = ""] = /^(\S+#\S+) (add|remove|be) (\[.*\])$/s.exec(name) ?? [];
  const thing = named.get(id)?.thing;
  if (thing === undefined) return undefined;
  const values: unknown[] = JSON.parse(list);
  return { thing, verb, values: values.map((value) => String(value).toLowerCase()) };
}

/** Tells whether a change adds or removes only a part of the values that a clause gives in full: "the sizes should be small, large and huge". */
function isPartOfValues(clause: Clause, name: string, places: Places): boolean {
  const found = valuesOf(name, places);
  if (found === undefined) return false;
  const { thing, verb, values } = found;
  const { tokens, actions, text } = clause;
  if (verb === "add" && values.some((value) => MODALS.test(value))) return true;
  if (verb === "add" && values.some((value) => isPurpose(tokens, value))) return true;
  const own = thing.values.map((value) => String(value).toLowerCase());
  const isTool = (at: number) =>
    [...places.version.tools.values()].some((tool) => isNameOf(tool, tokens[at]?.lower ?? ""));
  const run = findRun(tokens, (word) => own.includes(toValue(word, own)) || values.includes(word)).filter(
    (at) => !isTool(at),
  );
  // The name `drop-off` drops nothing.
  const isVerb = (at: number) => !run.includes(at) && text[tokens[at]?.end ?? 0] !== "-";
  const verbs = (["add", "remove", "revoke", "stop"] as const).flatMap((one) => actions.get(one) ?? []).filter(isVerb);
  if (run.length < 2 || verbs.length > 0 || ADDED.test(text)) return false;
  const said = run.map((at) => toValue(tokens[at]?.lower ?? "", own));
  const present = said.filter((value) => own.includes(value));
  return verb === "add" ? present.length > 0 && present.length < own.length : present.length < said.length;
}

/** A word as the value that it stands for among others: `fr` for "French" beside `en`. */
function toValue(word: string, values: readonly string[]): string {
  return values.includes(word) ? word : String(findCode(word, values) ?? toCode(word, values) ?? word);
}

/** "Add cash as a payment for seats" adds no seats. */
function isPurpose(tokens: readonly Token[], value: string): boolean {
  const at = tokens.findIndex(({ lower, kind }) => kind === "word" && lower === value);
  return at > 0 && tokens[at - 1]?.lower === "for" && tokens.slice(0, at).some(({ lower }) => lower === "as");
}

/** The words of the longest list in a clause, one word each, of which one is known. */
function findRun(tokens: readonly Token[], isKnown: (word: string) => boolean): readonly number[] {
  const isJoint = (at: number) => JOINT.test(tokens[at]?.lower ?? "");
  const runs: number[][] = [];
  for (const at of tokens.keys()) {
    if (isJoint(at)) continue;
    let before = at - 1;
    while (isJoint(before)) before -= 1;
    const last = runs.at(-1);
    if (before < at - 1 && last?.at(-1) === before) last.push(at);
    else runs.push([at]);
  }
  const known = runs.filter((run) => run.some((at) => isKnown(tokens[at]?.lower ?? "")));
  return known.sort((one, other) => other.length - one.length)[0] ?? [];
}

/** Tells whether a clause has another value of what it gives one as a default: "email by default. SMS only for delays." */
function leavesValue({ tokens, text }: Clause, name: string, { named }: Places): boolean {
  const [, id = "", value = ""] = /^(\S+#\S+)="(.*)"$/s.exec(name) ?? [];
  const place = named.get(id);
  if (place === undefined || (place.key !== "default" && place.thing.kind !== "parameter")) return false;
  const others = place.thing.values.map(String).filter((one) => one !== value && one !== place.now && one.length > 2);
  const own = new Set(exactName(place.thing).toLowerCase().split(/[._-]/u));
  const isOther = (lower: string) => others.some((one) => one.toLowerCase() === lower);
  const run = findRun(tokens, (word) => word === value.toLowerCase());
  const isListed = run.length > 2 && /(?<!\p{L})(?:values|choices|options|werte|valores|valeurs)(?!\p{L})/iu.test(text);
  // "Email by default. SMS only for delays."
  const isKept = tokens.some(
    ({ lower }, at) => lower === String(place.now).toLowerCase() && tokens[at + 1]?.lower === "only",
  );
  return isListed || isKept || tokens.some(({ lower }) => !own.has(lower) && isOther(lower));
}
