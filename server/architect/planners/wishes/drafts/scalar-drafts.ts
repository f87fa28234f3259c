import type { Json } from "../../../../store/store.ts";
import { showValue } from "../../../show-value.ts";
import type { Bench } from "../../directives/bench.ts";
import { setDefault } from "../../directives/set-default.ts";
import type { Clause } from "../clause.ts";
import { isOfField, isOnlyKey } from "../words/of-field.ts";
import { findNumber } from "./find-number.ts";
import { type Draft, explainKey, type Given, has, type Match, nameDoubt, sideDoubt } from "./draft.ts";
import { describeValue, labelKey } from "../places/label-key.ts";
import type { Place } from "../places/places.ts";
import { findText, wordsForText } from "../words/texts.ts";
import { saysHarmless } from "../words/key-words.ts";
import { roleOf } from "../words/role-of.ts";
import { isSame, toNumber } from "../words/values.ts";
import { type Action, NONE } from "../words/word-lists.ts";

const TEXTS: ReadonlySet<string> = new Set(["title", "description", "instructions"]);
const TO_A_TEXT =
  /\b(?:(?:to|zu|zur|zum|à|aux?) (?:the |its |our |den |der |la |las |les? )?|a (?:la|las|su|sus|nuestra) )(?:[\w.`'’]+ ){0,3}?(?:descriptions?|instructions?|text|beschreibung|anweisungen|descripción|instrucciones)\b/i;
const SETTING: readonly Action[] = ["set", "raise", "lower", "restrict", "replace"];

/** Drafts that give one key of a thing another value. */
export function draftScalars(clause: Clause, match: Match, places: readonly Place[]): readonly Draft[] {
  return places.flatMap((place) => (place.accepts.kind === "list" ? [] : draftScalar(clause, match, place)));
}

function draftScalar(clause: Clause, match: Match, place: Place): readonly Draft[] {
  const { thing, key, accepts, now } = place;
  const said = explainKey(clause, key);
  const given =
    accepts.kind === "text" ? toAppended(clause, place, findText(clause, said, now)) : findValue(clause, place, said);
  const implied = said === undefined ? doubtWithoutKey(clause, place, given, isNowSaid(clause, place)) : 0;
  const anchored =
    match.own > 0 || (accepts.kind === "choice" && said !== undefined && given !== undefined && key === "default");
  if (implied === undefined || !anchored) return [];
  if (TEXTS.has(key) && (said === undefined || isOnlyKey(clause, place, said) || isOfField(clause, place))) return [];
  const verbs = [
    ...SETTING,
    ...(TEXTS.has(key) ? (["describe", "rename", "add", "label"] as const) : []),
    ...(accepts.kind === "number" ? (["add", "grant", "stop"] as const) : []),
    ...verbsOfState(accepts.kind),
  ];
  const explained = new Set([
    ...match.explained,
    ...(said ?? []),
    ...verbs.flatMap((action) => clause.actions.get(action) ?? []),
    ...(given?.tokens ?? []),
    ...(TEXTS.has(key) ? wordsForText(clause) : []),
  ]);
  const { label, is } = labelKey(place);
  const base = { name: `${place.file}#${place.at.join("/")}`, label, thing, explained, soft: match.soft };
  const isAgentLimit = thing.kind === "agent" && !TEXTS.has(key);
  const doubt = nameDoubt(match) + implied + sideDoubt(clause, thing) + (isAgentLimit ? 0.1 : 0);
  if (given === undefined)
    return [
      {
        ...base,
        doubt: doubt + 1,
        missing: `To what? ${label} ${is} ${now === undefined ? "not set" : showValue(now)} now.`,
      },
    ];
  // A bound where there was none is mostly meant for another place.
  const unset = accepts.kind === "number" && now === undefined && thing.kind === "field" ? 0.5 : 0;
  const wrongWay =
    typeof now === "number" && typeof given.value === "number" && isWrongWay(clause, now, given.value) ? 1 : 0;
  return [
    {
      ...base,
      name: `${base.name}=${JSON.stringify(given.value)}`,
      doubt: doubt + given.doubt + wrongWay + unset,
      against: wrongWay,
      values: given.tokens,
      deed: (bench) => setPlace(bench, place, given.value),
    },
  ];
}

/** "Please add to the instructions: ..." keeps what is there; "add the description ..." may mean either, where there is one. */
function toAppended(clause: Clause, { key, now }: Place, given: Given | undefined): Given | undefined {
  // Verbs of the text itself ask for nothing: "append this: Use it when ..."
  const isSaid = (...actions: readonly Action[]) =>
    actions.some((action) => clause.actions.get(action)?.some((at) => at < (given?.tokens[0] ?? 0)) === true);
  const isAdded = isSaid("add") && !isSaid("set", "replace", "rename") && key !== "title";
  if (given === undefined || !isAdded || typeof now !== "string" || now.trim() === "") return given;
  if (String(given.value).startsWith(now.trimEnd())) return given;
  if (!TO_A_TEXT.test(clause.text)) return { ...given, doubt: given.doubt + 0.5 };
  return { ...given, value: `${now.trimEnd()} ${String(given.value)}` };
}

function verbsOfState(kind: string): readonly Action[] {
  return kind === "boolean" || kind === "choice" ? ["enable", "disable", "label", "promote"] : [];
}

/** Doubt that a key is meant that the clause does not name; undefined where it cannot be. */
function doubtWithoutKey(
  clause: Clause,
  { key, accepts, isUsual, thing }: Place,
  given: Given | undefined,
  isStale: boolean,
): number | undefined {
  const otherKeys =
    thing.kind === "parameter" &&
    [...clause.keys].some(
      ([other]) => ["min", "max", "step", "values", "description"].includes(other) && other !== key,
    );
  if (isUsual === true && !otherKeys) return 0;
  // What it is now says which bound is meant: "200 characters is nothing, allow 350".
  if (isStale && given !== undefined && accepts.kind === "number" && key !== "default") return 0.2;
  // A unit says which limit is meant: "give it 20 seconds".
  const unit = clause.amounts.some((amount) => amount.unit !== undefined) && given !== undefined;
  if (unit && key === "time" && accepts.kind === "number") return 0.3;
  if (
    key === "default" &&
    thing.kind === "field" &&
    given !== undefined &&
    accepts.kind === "choice" &&
    !has(clause, "add", "remove")
  )
    return 1;
  return undefined;
}

/** Tells whether a number of the clause is the present value. */
function isNowSaid({ amounts }: Clause, { accepts, now, thing }: Place): boolean {
  const names = new Set(thing.names.flat());
  if (accepts.kind !== "number" || now === undefined || amounts.length < 2) return false;
  return amounts.some((amount) => toNumber(amount, accepts, names)?.value === now);
}

function findValue(clause: Clause, place: Place, said: readonly number[] | undefined): Given | undefined {
  const { accepts, thing, now } = place;
  if (accepts.kind === "number") return findNumber(clause, { accepts, now, names: new Set(thing.names.flat()) });
  if (accepts.kind === "boolean") {
    const state = findState(clause, said);
    // "It should be declared free of side effects" sets none.
    return place.key === "sideEffect" && state !== undefined && saysHarmless(clause.text)
      ? { ...state, value: false }
      : state;
  }
  if (accepts.kind !== "choice") return undefined;
  return (
    findChoice(clause, accepts.values, now) ??
    (thing.kind === "parameter" ? findSwitch(clause, accepts.values) : undefined)
  );
}

const TRUE = new Set(["true", "on", "yes", "ja", "sí", "si", "oui", "an"]);
const FALSE = new Set(["false", "off", "no", "aus", "nein"]);

/** `true` or `false` of a key that is said; "mark it as idempotent" is true. */
function findState({ tokens, actions, negators }: Clause, said: readonly number[] | undefined): Given | undefined {
  if (said === undefined) return undefined;
  const stands = (words: ReadonlySet<string>) =>
    tokens.flatMap(({ lower, kind }, at) =>
      kind !== "sign" &&
      words.has(lower) &&
      (at === tokens.length - 1 ||
        lower.length > 3 ||
        /^[=:]|to|as|off|on$/.test(tokens[at - 1]?.lower ?? "") ||
        (tokens[at - 1]?.lower === "be" && tokens[at + 1]?.lower === "by"))
        ? [at]
        : [],
    );
  const [yes, no] = [stands(TRUE), stands(FALSE)];
  // "No default" is none, and not one that is off, as "off by default" is.
  // "It changes nothing, so let it be idempotent"
  const denied = negators.filter((at) => tokens[at]?.lower !== "nothing");
  const off = [...(actions.get("disable") ?? []), ...no, ...denied].filter(
    (at) => !said.includes(at + 1) || !NONE.test(tokens[at]?.lower ?? "") || tokens[at + 1]?.lower === "by",
  );
  if (off.length > 0) return { value: false, tokens: [...off, ...yes], doubt: yes.length > 0 && no.length > 0 ? 1 : 0 };
  const on = [...(actions.get("enable") ?? []), ...yes];
  const marked = actions.has("label") || actions.has("set");
  return on.length > 0 || marked ? { value: true, tokens: on, doubt: 0 } : undefined;
}

/** The one of some values that is said to be wanted. */
function findChoice({ tokens, amounts }: Clause, values: readonly Json[], now: Json | undefined): Given | undefined {
  const found = tokens.flatMap((token, at) => {
    if (token.kind === "sign" || token.kind === "number") return [];
    const value = values.find((own) => isSame(own, token.text));
    // "on" mostly is no value, but in a list of values.
    const isWeak =
      token.kind === "word" && token.lower.length < 4 && at < tokens.length - 1 && !isListed(tokens, at, values);
    return value === undefined || isWeak ? [] : [{ value, at, role: roleOf(tokens, at) }];
  });
  const numbers = amounts.flatMap((amount) =>
    values
      .filter((own) => own === amount.value)
      .map((value) => ({ value, at: amount.tokens[0] ?? 0, role: amount.role })),
  );
  const all = [...found, ...numbers];
  const wanted = new Set(all.filter(({ role }) => role !== "from").map(({ value }) => value));
  const [value, ...others] = wanted;
  if (value === undefined || others.length > 0) return undefined;
  // "Fine, not coarse" does not say that it is coarse now.
  const denied = all.flatMap(({ at }) =>
    /^(?:not|nicht|no|pas|non)$/.test(tokens[at - 1]?.lower ?? "") ? [at - 1] : [],
  );
  const isOther = all.some(
    ({ role, value: from, at }) => role === "from" && !isSame(from, now) && !denied.includes(at - 1),
  );
  return { value, tokens: [...all.map(({ at }) => at), ...denied], doubt: isOther ? 1.5 : 0 };
}

/** Tells whether nothing but commas and the like stands between a word and another of some values. */
function isListed(tokens: Clause["tokens"], at: number, values: readonly Json[]): boolean {
  return [-1, 1].some((step) => {
    let next = at + step;
    while (/^(?:,|\/|and|or|und|oder|y|o|et|ou)$/.test(tokens[next]?.lower ?? "")) next += step;
    const other = tokens[next];
    return Math.abs(next - at) > 1 && other !== undefined && values.some((own) => isSame(own, other.text));
  });
}

/** "Turn it on" of a choice that can be on or off. */
function findSwitch({ actions }: Clause, values: readonly Json[]): Given | undefined {
  const [on, off] = [actions.get("enable"), actions.get("disable")];
  if ((on === undefined) === (off === undefined)) return undefined;
  const wanted: readonly Json[] =
    on === undefined ? ["off", false, "disabled", "none", "never"] : ["on", true, "enabled", "always"];
  const value = wanted.find((one) => values.includes(one));
  return value === undefined ? undefined : { value, tokens: on ?? off ?? [], doubt: 0 };
}

/** "Raise it to less than it is": one of the two was a slip. */
function isWrongWay({ actions, amounts }: Clause, now: number, to: number): boolean {
  if (amounts.some(({ role }) => role === "factor" || role === "by")) return false;
  const [up, down] = [actions.has("raise"), actions.has("lower")];
  return (up && !down && to < now) || (down && !up && to > now);
}

/** Gives a place another value, and says what was there. */
export async function setPlace(bench: Bench, { file, at, key, thing, now }: Place, value: Json): Promise<void> {
  if (thing.kind === "parameter" && key === "default" && thing.set !== undefined && thing.parameter !== undefined) {
    await setDefault(bench, thing.set, thing.parameter, value);
    return;
  }
  const isTool = thing.kind === "tool" && ["time", "cpu", "memory", "payload", "cost"].includes(key);
  // It may be so by default.
  if (thing.kind === "tool" && (isTool || typeof now === "boolean") && now === value) return;
  // Another strategy does not keep the settings of the one before.
  const isStrategy = at.slice(-2).join("/") === "strategy/kind" && now !== value;
  const isChanged = await bench.set(file, isStrategy ? at.slice(0, -1) : at, isStrategy ? { kind: value } : value);
  const before = typeof now === "object" || TEXTS.has(key) ? undefined : now;
  if (isChanged) bench.say(describeValue({ key, thing }, value, before));
  if (TEXTS.has(key)) bench.need("patch");
  if (isTool && typeof now === "number" && typeof value === "number")
    bench.need((key === "cost" ? value > now : value < now) ? "major" : "minor");
}
