import type { Field } from "./read-fields.ts";

/**
 * Role of a text field, as far as its name and description show it; it decides which words of a message lead to the
 * field.
 */
export type Role = "place" | "person" | "topic" | "content" | "other";

const NAMES: readonly (readonly [Role, RegExp])[] = [
  ["content", /^(?:text|body|message|content|note|title|subject|task|item|summary|comment|todo|description)$/],
  ["topic", /^(?:query|q|search|topic|term|terms|keyword|keywords|question|phrase|symbol|ticker)$/],
  ["place", /^(?:city|place|location|address|country|region|town|destination|origin|where|venue)$/],
  ["person", /^(?:to|recipient|assignee|user|person|contact|attendee|owner|author)$/],
];
const DESCRIPTIONS: readonly (readonly [Role, RegExp])[] = [
  ["place", /\b(?:city|place|location|address|country|town)\b/i],
  ["person", /\b(?:recipient|person|user|who)\b/i],
  ["topic", /\b(?:search|look for|find|keywords?|topic|question)\b/i],
  ["content", /\b(?:text|content|message|sentence)\b/i],
];

/** Words that lead to a value of each role, the most telling first. */
const LEADS: Readonly<Record<Role, readonly string[]>> = {
  place: ["in", "at", "near", "around", "for", "of", "on", "to"],
  person: ["to", "with", "for", "by"],
  topic: ["about", "regarding", "on", "for", "of"],
  content: ["that", "saying", "says", "about", "to"],
  other: ["for", "of", "in", "with", "about", "on"],
};
const OWN_LEADS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:from|source|origin|departure)$/, ["from"]],
  [/^(?:to|destination|target|arrival|recipient)$/, ["to", "into"]],
  [/^(?:title|name|subject)$/, ["titled", "called", "named"]],
  [/^(?:assignee|owner)$/, ["assigned to", "to", "for"]],
];

export function toRole({ words, description }: Field): Role {
  const byName = NAMES.find(([, names]) => words.some((word) => names.test(word)));
  return byName?.[0] ?? DESCRIPTIONS.find(([, pattern]) => pattern.test(description))?.[0] ?? "other";
}

/** Words that lead to this field and no other: its name, and what goes with names like it. */
export function toOwnLeads({ words }: Field): string[] {
  const [own, ...rest] = [...words].reverse();
  return [
    words.join(" "),
    ...(own === "id" && rest.length > 0 ? [rest.reverse().join(" ")] : []),
    ...OWN_LEADS.filter(([names]) => words.some((word) => names.test(word))).flatMap(([, leads]) => leads),
  ];
}

export function toLeads(role: Role): readonly string[] {
  return LEADS[role];
}
