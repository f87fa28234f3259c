import type { Clause } from "../clause.ts";
import type { Place, Places } from "../places/places.ts";
import type { Amount } from "../words/values.ts";
import { placesOfMatch } from "../words/words.ts";
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

/** A verb of being that is denied, right before a number: "should not start at 0.4". */
const DENIED =
  /\b(?:should|must|may|can|shall|will|ought|do|does)(?:n['’]t| not| never)(?: to)? (?:be|start|stay|default|remain|begin|become|count|stand|return|give|use|run|last|cost)\b(?![^]*\b(?:than|above|below|over|under|beyond|before|until|till|after|exceed)\b)[^,;:]{0,25}$/iu;

/** Tells whether a message says of a number that something is not to be that. */
export function isDeniedNumber({ text, tokens }: Clause, { tokens: said }: Amount): boolean {
  return DENIED.test(text.slice(0, tokens[said[0] ?? 0]?.start));
}

const ENDING = "(?:stops?|ends?|finish(?:es)?|decides?|promotes?|settles?|concludes?|terminates?)";
const EACH = String.raw`(?: (?:it|every|each|all|an?|the|its|arms?|of|variants?|has|have|had|got|seen|collected|at least|with)\b)* ?$`;
/** What an experiment waits for: "must not decide before every arm has 120 samples". */
const LEAST = new RegExp(
  [
    String.raw`\b(?:should|must|may|can|shall|will)(?:n['’]t| not| never) ${ENDING} (?:before|until|till)\b`,
    String.raw`\b(?:(?:should|must|may|can|shall|will) )?only ${ENDING} (?:after|once|when)\b`,
    String.raw`\b(?:(?:should|must|may|can|shall|will) )?${ENDING} only (?:after|once|when)\b`,
    String.raw`\b(?:(?:should|must|shall|will) )?waits? (?:for|until|till)\b`,
  ]
    .map((pattern) => pattern + EACH)
    .join("|"),
  "iu",
);
/** What an experiment ends at: "should end after 1000 evaluations". */
const MOST = new RegExp(String.raw`\b(?:(?:should|must|shall|will) )?${ENDING} (?:after|at|once|when)\b${EACH}`, "iu");
/** A further condition behind the number: "and the board agrees". */
const FURTHER = /^[^,;.]{0,30}\b(?:and|or|but) (?:the|our|my|an?|we|they|it|everybody|somebody|someone|everyone)\b/iu;
const DENYING = /(?:\b(?:not|never|only)|n['’]t) $/iu;

/** The words before a number by which an experiment waits for that many samples, or ends at that many of something. */
export function wordsOfWaiting({ text, tokens }: Clause, key: string, { tokens: said }: Amount): readonly number[] {
  const before = text.slice(0, tokens[said[0] ?? 0]?.start);
  if (FURTHER.test(text.slice(tokens[said.at(-1) ?? 0]?.end))) return [];
  if (key === "minSamples") return placesOfMatch(tokens, before, LEAST);
  const found = MOST.exec(before);
  const isDenied = found !== null && DENYING.test(before.slice(0, found.index));
  return isDenied ? [] : placesOfMatch(tokens, before, MOST);
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
