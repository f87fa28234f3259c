import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";
import { type Given, has } from "../drafts/draft.ts";

const LONGEST = 4_000;
const TEXT_KEYS = ["title", "description"] as const;
const MARKERS = new Set([
  "to",
  "as",
  "say",
  "says",
  "with",
  "read",
  ":",
  "=",
  "->",
  "auf",
  "als",
  "a",
  "à",
  "como",
  "en",
  "comme",
  "is",
  "be",
  "为",
  "改为",
  "设为",
]);

/**
 * The text that a clause gives for a title or a description: what is quoted, or else what follows a word that says that it
 * follows. "Replace A with B" and "add B" change the text that there is.
 */
export function findText(
  clause: Clause,
  said: readonly number[] | undefined,
  now: Json | undefined,
): Given | undefined {
  const { tokens } = clause;
  const present = typeof now === "string" ? now : "";
  const quoted = tokens.flatMap((token, at) =>
    token.kind === "quoted" &&
    token.text.trim() !== "" &&
    !(said ?? []).includes(at) &&
    !isName(clause, at) &&
    !isFormer(clause.text, token.start)
      ? [at]
      : [],
  );
  const text = (at: number | undefined) => tokens[at ?? -1]?.text ?? "";
  const [first, second, ...others] = quoted;
  if (others.length > 0) return undefined;
  if (first !== undefined && second !== undefined) {
    // "from A to B", "replace A with B", "use B instead of A"
    const isTurned = tokens.slice(first, second).some(({ lower }) => lower === "instead" || lower === "than");
    const [old, fresh] = isTurned ? [text(second), text(first)] : [text(first), text(second)];
    if (old === "" || present.split(old).length !== 2) return undefined;
    return { value: present.replace(old, () => fresh), tokens: quoted, doubt: 0 };
  }
  if (first !== undefined) {
    if (isPartOfText(clause, first)) return findRest(clause, said);
    const isAddition =
      (clause.actions.get("add") ?? []).some((at) => APPENDS.test(tokens[at]?.lower ?? "")) &&
      !has(clause, "set", "describe", "replace", "rename") &&
      present !== "";
    if (has(clause, "remove"))
      return present.split(text(first)).length === 2
        ? { value: present.replace(text(first), "").replaceAll(/ {2,}/g, " ").trim(), tokens: quoted, doubt: 0.3 }
        : undefined;
    const value = isAddition ? `${present.trimEnd()} ${text(first)}` : text(first);
    return value.length > LONGEST ? undefined : { value, tokens: quoted, doubt: 0 };
  }
  return findRest(clause, said);
}

/** Tells whether a quotation is a part of a text that stands behind a colon: "description: The city, or 'lat,long'". */
export function isPartOfText({ tokens, keys, actions }: Clause, quoted: number): boolean {
  const colon = tokens.findLastIndex(({ text }, at) => at < quoted && text === ":");
  const isText = TEXT_KEYS.some(
    (key) =>
      keys
        .get(key)
        ?.flat()
        .some((at) => at < colon) === true,
  );
  const isVerb = [...actions.values()].some((places) => places.includes(colon + 1));
  const isOrder = isVerb && tokens[colon + 2]?.lower !== "of";
  return colon >= 0 && quoted > colon + 1 && isText && !isOrder && /^\p{Lu}/u.test(tokens[colon + 1]?.text ?? "");
}

const FORMER =
  /\b(?:used to (?:be|say|read)|once was|was once|formerly|previously|had been|war früher|hieß (?:früher|mal|einmal)|antes (?:era|se llamaba)|s['’]appelait|était avant) (?:called |named |titled )?$|(?:以前|原来|曾经)(?:是|叫)?\s*$/i;

/** Tells whether what stands at an offset is said to have been there once. */
export function isFormer(text: string, offset: number): boolean {
  return FORMER.test(text.slice(0, offset));
}

/** Verbs that add to a text; "new tickets" and "allow 5" add nothing. */
const APPENDS =
  /^(?:add|append|insert|include|extend|expand|hinzufügen|füge|ergänzen?|añad\p{L}*|agreg\p{L}*|ajout\p{L}*|添加|增加|加入|加上)$/u;

/** Backquotes and short words in quotes mostly name something. */
function isName({ tokens }: Clause, at: number): boolean {
  const token = tokens[at];
  return token?.mark === "`" && /^[\w.-]+$/.test(token.text) && at < tokens.length - 1;
}

/** What says how something is now in place of a text: "it is children under fourteen now, not under twelve". */
const CORRECTING =
  /^(?:it|that|this|they|there)(?:['’]s|['’]re| is| are)\b.*\b(?:now|not|n['’]t|instead|any ?more|longer)\b/su;

/** What says where a text is to stand, in place of a text: "Change it to 'The weather'". */
export const ORDERING =
  /^(?:please |pls )?(?:\p{L}+ (?:it|that|this|them|the text|the title|the description)(?: (?:to|into|as|with|by)| read| say)?\W*["“'‘„«]|(?:use|take|put|write|say|make it|should (?:be|read|say))\W*["“'‘„«])/iu;

/** What ends an unmarked text and says something else: "Talk. And have it read aloud", "Changes, and that of git_status: Files", "write 21:00 where it says 22:00". */
const GOES_ON =
  /[.!?;]\s+(?:(?:and|also|then|please|pls|plus|btw|oh)\b|(?:it|they|this|that|the \p{L}+|callers|people) (?:should|must|needs?|ought|has to|have to)\b)|,? and (?:that|the (?:title|description|one)|its (?:title|description|cost|timeout)) (?:of|for|is|to)\b|^(?:please )?(?:write|put|say|use|change|replace|swap) .+ (?:where|instead|in place|rather than|to|by|with)\b/iu;

/** All that follows a marker behind the key: `title: Ask me anything`. */
function findRest({ text, tokens }: Clause, said: readonly number[] | undefined): Given | undefined {
  const from = Math.max(-1, ...(said ?? []));
  const marker = tokens.findIndex(
    ({ lower, text: sign }, at) => at > from && (MARKERS.has(lower) || MARKERS.has(sign)) && at < tokens.length - 1,
  );
  if (from < 0 || marker < 0) return undefined;
  const start =
    tokens[marker]?.text === ":" || tokens[marker + 1]?.text !== ":" ? tokens[marker]?.end : tokens[marker + 1]?.end;
  const value = text.slice(start).trim();
  const isPlain =
    /^[\p{Lu}\p{Script=Han}]/u.test(value) || tokens[marker]?.text === ":" || tokens[marker + 1]?.text === ":";
  if (value === "" || value.length > LONGEST || !isPlain || CORRECTING.test(value) || ORDERING.test(value))
    return undefined;
  return {
    value,
    tokens: tokens.flatMap((_, at) => (at >= marker ? [at] : [])),
    doubt: GOES_ON.test(value) ? 1 : tokens.slice(marker).some(({ text: sign }) => sign === ":") ? 0 : 0.3,
  };
}

/** Finds words for a text that is given: "append this sentence". */
export function wordsForText({ tokens }: Clause): readonly number[] {
  return tokens.flatMap(({ lower }, at) => (/^(?:sentence|line|satz|frase|phrase)$/.test(lower) ? [at] : []));
}
