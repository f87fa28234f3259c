import type { Clause } from "../clause.ts";
import type { Place, Places } from "../places/places.ts";
import type { Amount } from "../words/values.ts";
import type { Signs } from "./signs.ts";

/** Words behind a number of calls, or of units, that say in which time. */
const IN_TIME =
  /^[^.;!?\d]{0,30}?(?:\b(?:an?|per|each|every|pro|je|por|al|à la|par|la) ?|\/ ?)(?:(?<minute>min(?:ute|uto)?)|(?<day>day|tag|día|dia|jour))\b/iu;
const CHINESE_IN_TIME = /每(?:(?<minute>分钟)|(?<day>天|日))[^。，,;]{0,8}$/u;
/** Sayings that nothing limits it yet. */
const UNLIMITED =
  /\b(?:no|without|n['’]t have|never had|has none|lacks?)\b[^.!?]{0,20}\b(?:limit|cap|ceiling|brake|restriction|bound)\w*|\bunlimited\b|\bnothing (?:holds|stops|limits|slows|caps)\b|\b(?:as often as|whenever) (?:it|they|you|he|she|anybody) (?:likes?|wants?)\b|\bunbegrenzt\b|\bkein\w* (?:eigenes? )?(?:limit|grenze)\b|\bsin límite\b|\bsans limite\b|没有限制|不限/iu;

/** Signs of limits: a number in a time is a rate or a budget, and what has no limit yet may get one. */
export function limitSigns({ text, tokens }: Clause, { key, now }: Place, { tokens: said }: Amount): Signs {
  const start = tokens[said[0] ?? 0]?.start ?? 0;
  const end = tokens[said.at(-1) ?? 0]?.end ?? 0;
  const time = (IN_TIME.exec(text.slice(end)) ?? CHINESE_IN_TIME.exec(text.slice(0, start)))?.groups;
  const wanted = time?.["minute"] !== undefined ? "rate" : time?.["day"] !== undefined ? "dailyCost" : undefined;
  return {
    ...(wanted === undefined ? {} : wanted === key ? { inTime: 1 } : { otherTime: 1 }),
    ...(now === undefined && UNLIMITED.test(text) ? { unlimited: 1 } : {}),
  };
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
