import type { Clause } from "../clause.ts";
import type { Place, Places } from "../places/places.ts";
import type { Amount } from "../words/values.ts";
import type { Signs } from "./signs.ts";

/** Words behind a number of calls, or of units, that say in which time, or that they are at once. */
const IN_TIME =
  /^(?:[^.;!?\d]|\.(?=\w)){0,32}?(?:(?:\b(?:an?|per|each|every|pro|je|por|al|à la|par|la|jede\w?|cada|chaque) ?|\/ ?)(?:(?<minute>min(?:ute|uto)?)|(?<day>day|tag|día|dia|jour))\b|(?<once>\bat (?:a|one|any|the same) (?:one )?time\b|\bat once\b|\bin parallel\b|\bsimultan\w+|\bconcurren\w+|\bparallel\w*|\bgleichzeitig\w*|\bzugleich\b|\ba la vez\b|\bal mismo tiempo\b|\ben paralelo\b|\ben même temps\b|\bà la fois\b|\ben parallèle\b|同时|并发|并行))/iu;
/** The time that a message says before the number: "every minute at most thirty", "每分钟 30 次". */
const BEFORE_IN_TIME =
  /(?:(?:\b(?:per|each|every|any|pro|jede\w?|por|cada|par|chaque|within (?:an?|one)) (?:(?<minute>minute|minuto)|(?<day>day|tag|día|dia|jour))\b[^.;!?\d]{0,20})|每(?:(?<minute2>分钟)|(?<day2>天|日))[^。，,;\d]{0,30}|(?<once>(?:同时|并发|并行|gleichzeitig\w*|simultan\w+|concurren\w+)[^.。，,;\d]{0,14}))$/iu;
/** Whose calls a limit counts, where the tool is named besides. */
const WHOSE = /^(?:per|tenants?|organi[sz]ations?|callers?|calls?|mandant\w*|inquilino\w*|locataire\w*)$/;
/** Sayings that nothing limits it yet. */
const UNLIMITED =
  /\b(?:no|without|n['’]t have|never had|has none|lacks?)\b[^.!?]{0,20}\b(?:limit|cap|ceiling|brake|restriction|bound)\w*|\bunlimited\b|\bnothing (?:holds|stops|limits|slows|caps)\b|\b(?:as often as|whenever) (?:it|they|you|he|she|anybody) (?:likes?|wants?)\b|\bunbegrenzt\b|\bkein\w* (?:eigenes? )?(?:limit|grenze)\b|\bsin límite\b|\bsans limite\b|没有限制|不限/iu;

const NOBODY = /\b(?:nobody|no ?one|none|never|not|cannot|niemand|keine[rn]?|nadie|personne)\b|n['’]t\b/iu;
const BEYOND: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [
    /\b(?:above|over|beyond|past|(?:more|higher|greater|longer|larger) than|über|mehr als|más de|plus de)\s*$/iu,
    new Set(["max", "maximum", "maxLength", "maxItems"]),
  ],
  [
    /\b(?:below|under|(?:less|lower|fewer|shorter|smaller) than|unter|weniger als|menos de|moins de)\s*$/iu,
    new Set(["min", "minimum", "minLength", "minItems"]),
  ],
];

/** Tells which ends a number is said to be that nobody may go beyond: "nobody should be able to set lookahead above 24". */
export function findEnd({ text, tokens }: Clause, { tokens: said }: Amount): ReadonlySet<string> | undefined {
  const before = text.slice(0, tokens[said[0] ?? 0]?.start);
  return NOBODY.test(before) ? BEYOND.find(([pattern]) => pattern.test(before))?.[1] : undefined;
}

/** Signs of limits: a number in a time is a rate or a budget, and what has no limit yet may get one. */
export function limitSigns({ text, tokens }: Clause, { key, now }: Place, { tokens: said }: Amount): Signs {
  const start = tokens[said[0] ?? 0]?.start ?? 0;
  const end = tokens[said.at(-1) ?? 0]?.end ?? 0;
  const wanted = toKey(
    IN_TIME.exec(text.slice(end))?.groups ?? BEFORE_IN_TIME.exec(text.slice(0, start))?.groups ?? {},
  );
  return {
    ...(wanted === undefined ? {} : wanted === key ? { inTime: 1 } : { otherTime: 1 }),
    ...(now === undefined && UNLIMITED.test(text) ? { unlimited: 1 } : {}),
  };
}

function toKey(said: Readonly<Record<string, string | undefined>>): Place["key"] | undefined {
  if ((said["minute"] ?? said["minute2"]) !== undefined) return "rate";
  if ((said["day"] ?? said["day2"]) !== undefined) return "dailyCost";
  return said["once"] === undefined ? undefined : "concurrency";
}

/** The words that say whose calls the limit of a tool counts: it is the calls of each tenant anyway. */
export function whoseWords({ tokens }: Clause, { thing, key }: Place): readonly number[] {
  const isLimit = thing.kind === "tool" && (key === "rate" || key === "concurrency");
  return isLimit ? tokens.flatMap(({ lower }, at) => (WHOSE.test(lower) ? [at] : [])) : [];
}

/** Signs of a present number that a message says beside a new one: the fewer places have it, the surer it is about this one. */
export function presentSigns(
  { tokens }: Clause,
  { now, accepts }: Place,
  present: readonly Amount[],
  { named }: Places,
): Signs {
  if (present.length === 0 || now === undefined) return {};
  const rivals = [...named.values()].filter(
    (other) => other.now === now && other.accepts.kind === "number" && accepts.kind === "number",
  ).length;
  const isSetAside = present.some(
    ({ role, tokens: [at = 0] }) =>
      role === "from" || /^(?:not|nicht|no|pas|statt|than)$/.test(tokens[at - 1]?.lower ?? ""),
  );
  return { now: 1, nowRare: 1 / Math.max(1, rivals), ...(isSetAside ? { contrast: 1 } : {}) };
}
