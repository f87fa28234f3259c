import { canonicalJson } from "../json/canonical-json.ts";
import type { Finding } from "./finding.ts";

/** Characters of a text that a finding shows. */
const SHOWN = 80;
/** Characters that both texts share, shown in front of the first that differs. */
const CONTEXT = 16;

/**
 * Finds texts for people that differ, one finding each, with the text before and after. `subject` names their owner in the
 * middle of a sentence (the tool `runner.greet`); `find` makes a text-changed finding of a sentence and a key.
 */
export function findTextChanges<T extends object>(
  subject: string,
  was: T,
  is: T,
  keys: readonly (keyof T & string)[],
  find: (message: string, key: string) => Finding,
): readonly Finding[] {
  return keys.flatMap((key) => {
    const [old, young] = [was[key], is[key]];
    if (!differs(old, young)) return [];
    return [find(explain(subject, key, old, young), key)];
  });
}

/** Compares two values as JSON, in which the order of members means nothing. */
export function differs(one: unknown, other: unknown): boolean {
  return toText(one) !== toText(other);
}

/** Writes two differing texts, each from shortly before the first difference on. */
function showTexts(was: string, is: string): readonly [was: string, is: string] {
  let same = 0;
  while (same < Math.min(was.length, is.length) && was[same] === is[same]) same += 1;
  const from = Math.max(was.length, is.length) <= SHOWN ? 0 : Math.max(0, same - CONTEXT);
  const show = (text: string) => {
    const end = Math.min(text.length, from + SHOWN);
    return JSON.stringify(`${from > 0 ? "..." : ""}${text.slice(from, end)}${end < text.length ? "..." : ""}`);
  };
  return [show(was), show(is)];
}

function explain(subject: string, key: string, old: unknown, young: unknown): string {
  const has = `T${subject.slice(1)}`;
  if (typeof old === "string" && typeof young === "string") {
    const [was, is] = showTexts(old, young);
    return `The ${key} of ${subject} is ${is}, and was ${was}.`;
  }
  if (typeof young === "string") return `${has} has the ${key} ${showTexts("", young)[1]}.`;
  if (typeof old === "string") return `${has} no longer has the ${key} ${showTexts(old, "")[0]}.`;
  return `The ${key} of ${subject} are others.`;
}

/** Writes a value as text; an absent one is `null`, as in JSON, and a map is an object. */
function toText(value: unknown): string {
  return canonicalJson(value instanceof Map ? Object.fromEntries(value) : JSON.parse(JSON.stringify(value ?? null)));
}
