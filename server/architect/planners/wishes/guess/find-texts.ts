import type { Clause } from "../clause.ts";

/** A text of a message that may be a title or a description, with its tokens. */
export interface Told {
  readonly text: string;
  readonly tokens: readonly number[];
}

/** Words behind which a title stands that is in no quotation marks. */
const TITLED =
  /(?:\b(?:titled|entitled|retitled?|renamed?(?: (?:it|the \w+|to|into))*|(?:call|name|label) (?:it|this|the [\p{L}_.]+(?: [\p{L}_.]+)?)(?: just| simply)?|be (?:called|named)|(?:title|name|heading|caption)\b[^:."“]{0,50}?(?:\bto\b(?: read| be)?|\binto\b|\bis\b|\bbe\b(?: just)?|\bread\b|:|=|→|->)|heißen|heißt|lauten?|nenn\w*|titel\b[^:."„]{0,40}?(?::|auf|lautet|ist)|título\b[^:."]{0,40}?(?::| a | sea )|titre\b[^:."]{0,40}?(?::| en | par | est )))\s*(?:["'“„«]\s*)?(\p{Lu}[^"'“”«».,;!?()\n]*)/iu;
const WORDS = 7;

/** "Have Reservation as its title" */
const AS_TITLE =
  /(?:\b(?:have|get|has|give it|with|use)|should be)\s+(\p{Lu}[^"'“”.,;!?()\n]{1,40}?)\s+(?:as|for) (?:its |a |the |their )?(?:title|name|heading)\b/u;

/** Texts that a clause gives: what is quoted, and what stands behind a word that says that a title follows. */
export function findTexts({ tokens, text }: Clause): readonly Told[] {
  const quoted = tokens.flatMap((token, at): readonly Told[] =>
    token.kind === "quoted" && token.text.length > 1 ? [{ text: token.text, tokens: [at] }] : [],
  );
  const [whole = "", titled = ""] = AS_TITLE.exec(text) ?? TITLED.exec(text) ?? [];
  const bare = titled.replace(/\s+(?:please|pls|bitte|instead|now|then|por favor|s'il vous plaît)$/i, "").trim();
  if (bare === "" || !/^\p{Lu}/u.test(bare) || bare.split(/\s+/).length > WORDS) return quoted;
  const start = text.indexOf(whole) + whole.lastIndexOf(titled);
  const own = tokens.flatMap((token, at) => (token.start >= start && token.end <= start + bare.length ? [at] : []));
  return quoted.some((one) => one.text === bare) || own.length === 0
    ? quoted
    : [...quoted, { text: bare, tokens: own }];
}

/** What a description is to say besides: "should also mention that all times are local". */
const MENTIONED =
  /\b(?:mention|say|state|note|explain|point out|tell|clarify|warn|add|indicate|include)(?:s|ing)?\b(?:,? (?:also|too|as well|there|please),?|,? (?:in|to|on) (?:the|its) [\p{L}\p{N}_ .]{1,50}?(?:,? (?:also|too),?)?)*(?: that |\s*:\s*)(?<said>[^"“”\n]+?)[.!?]*$/isu;
const MENTIONED_LENGTH = 300;

/** The sentence that a description is to get, with its tokens. */
export function findMentioned({ tokens, text }: Clause): Told | undefined {
  for (const sentence of text.split(/(?<=[.!?])\s+(?=\p{Lu})/u)) {
    const said = MENTIONED.exec(sentence)?.groups?.["said"]?.trim() ?? "";
    if (said.length < 4 || said.length > MENTIONED_LENGTH) continue;
    const start = text.indexOf(said);
    const own = tokens.flatMap((token, at) => (token.start >= start && token.end <= start + said.length ? [at] : []));
    return { text: `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`, tokens: own };
  }
  return undefined;
}
