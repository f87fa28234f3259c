import type { Clause } from "../clause.ts";
import { isFormer, isPartOfText } from "../words/texts.ts";
import { STOP } from "../words/word-lists.ts";
import { distance } from "../words/words.ts";

/** A text that a message may give a title or a description. */
export interface FreshText {
  readonly value: string;
  /** Parts of the message that say it. */
  readonly parts: readonly string[];
  /** `whole`: all of it is said; `part`: the rest is the present one; `more`: it is the present one and a sentence. */
  readonly kind: "whole" | "part" | "more";
  /** True: it was not in quotation marks, so where it ends is a guess. */
  readonly isLoose: boolean;
}

const LONGEST = 300;
/** Words before a name that is not in quotation marks. */
const BEFORE =
  /(?:\b(?:as|be|rea[dt]s?|says?|it|that|one|tool|field|titled?|entitled|named?|called?|label(?:led)?|heading|caption|have|prefer|to|into|with|use|than|als|heißen|lauten|nennt|titel|título|titre|como|llam\w+|titul\w+|comme|appel\w+|intitul\w+)|:|->|→|=)\s*:?\s+(\p{Lu}[^"“”„«».!?()]*)/gu;
/** Words behind a title that do not belong to it. */
const BEHIND =
  /,? (?:(?:rather )?than|instead|please|pls|thanks|bitte|like (?:every\w*|all|the others?|in )|from now on|because|since|so that|as (?:the |a )?(?:title|heading|label)|everywhere|wherever|would|will|should|is|was|not|and not|but|which|statt|anstatt|en lugar|en vez|au lieu|svp|s['’]il|por favor)(?: .*|$)|[,;](?: .*|$)| [-–—]+ .*/u;
/** Words that may end a title or be a part of it: "Lead time for the visit". */
const MAYBE_BEHIND = / (?:over|for (?:that|this|the)|in the|on the|at the|where) .*/u;
/** Words that begin sentences, not titles. */
const PERSON = /^(?:I|We|You|They|He|She|It|This|That|The one)\b/u;

const SAID =
  "mention|say|state|note|explain|point out|tell|clarify|warn|include|read|hint|remark|reminder|remind|sentence|line|say so|add";
/** Words before what a text is to say besides, by language. */
const MENTIONED: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:${SAID})(?:s|ing|ed)?\b[^.!?"“]{0,50}?\bthat ([^!?"“”]+?)(?:[.!?](?:\s|$)|$)`, "isu"),
  /\b(?:Hinweis|erwähn|steh|dazu|drin|ergänz|schreib|sag|erklär)\p{L}*[^.!?]{0,50}?,? dass ([^!?.]+)/isu,
  /\b(?:dig|deci|mencion|avis|indi[cq]|aclar|añad|explic|agreg|advert|advierta)\p{L}*[^.!?]{0,40}? que ([^!?.]+)/isu,
  /(?:\b(?:dire|dis|mentionn|précis|indiqu|signal|ajout|rappel|averti|expliqu)\p{L}*)[^.!?]{0,40}? qu(?:e |['’])([^!?.]+)/isu,
  /(?:说明|注明|提到|补充|写明|写上|加一句|提醒)[^。！？!?:：]{0,8}[:：,，]?\s*([^。！？!?“”]+)/u,
];
const COLON = /[:：]\s*([^:.!?"“”]{8,}?)[.!?]?\s*$/u;
/** What readers of a text are asked to do by it: "tell people to include the #". */
const URGED: readonly RegExp[] = [
  /\b(?:tell|ask|remind|advise|warn|urge|encourage|instruct|invite)(?:s|ed|ing)? (?:the |our |all )?(?:people|users?|callers?|readers?|them|everyone|everybody|customers?|clients?|shoppers?|visitors?|owners?|folks|colleagues|whoever [^,.!?]{3,30}?) ((?:not )?to [^!?"“”]+?)(?:[.!?](?:\s|$)|$)/iu,
];

const AND = /^(?:and|und|y|e|et|和)$/;

/** The texts that a message may mean by its quotations; `present` are all texts that something has. */
export function findQuotedTexts(clause: Clause, now: string, present: ReadonlySet<string>): readonly FreshText[] {
  const quotations = clause.tokens.flatMap(({ kind, text, start }, at) =>
    kind === "quoted" && text !== "" && !isFormer(clause.text, start) && !isPartOfText(clause, at)
      ? [{ text, at }]
      : [],
  );
  const quoted = quotations.map(({ text }) => text);
  // "Mention `tool` and `utc_offset`" puts neither in the place of the other.
  const areJoined = quotations.some(
    ({ at }) => AND.test(clause.tokens[at + 1]?.lower ?? "") && clause.tokens[at + 2]?.kind === "quoted",
  );
  const within = (part: string) => part.length > 2 && now.toLowerCase().split(part.toLowerCase()).length === 2;
  return quoted.flatMap((fresh): readonly FreshText[] => {
    if (present.has(bare(fresh)) || within(fresh)) return [];
    const olds = areJoined ? [] : quoted.filter((old) => old !== fresh && within(old));
    if (olds.length === 0) return [{ value: fresh, parts: [fresh], kind: "whole", isLoose: false }];
    return olds.map((old): FreshText => {
      const isAll = bare(old) === bare(now) || (isSentence(fresh) && !isSentence(old));
      return {
        value: isAll ? fresh : replacePart(now, old, fresh),
        parts: [old, fresh],
        kind: "part",
        isLoose: false,
      };
    });
  });
}

/** A text as it is compared with others. */
export function bare(text: string): string {
  return text.toLowerCase().replace(/[.!。]$/u, "");
}

function isSentence(text: string): boolean {
  return /^\p{Lu}.*[.!。]$/su.test(text);
}

function replacePart(now: string, old: string, fresh: string): string {
  const at = now.toLowerCase().indexOf(old.toLowerCase());
  const isStart = /^\p{Lu}/u.test(now.slice(at)) && at === 0;
  return `${now.slice(0, at)}${isStart ? fresh.slice(0, 1).toUpperCase() + fresh.slice(1) : fresh}${now.slice(at + old.length)}`;
}

/** The titles that a message may give without quotation marks: words behind one that says so, from a capital on. */
export function findTitles({ text }: Clause, present: ReadonlySet<string>): readonly FreshText[] {
  const found = new Set<string>();
  for (const [, said = ""] of text.matchAll(new RegExp(BEFORE, "gu"))) {
    const title = said.replace(BEHIND, "").trim();
    for (const one of [title, title.replace(MAYBE_BEHIND, "").trim()])
      if (one.length > 2 && one.length < LONGEST && !PERSON.test(one) && !present.has(one.toLowerCase()))
        found.add(one);
  }
  return [...found].map((value) => ({ value, parts: [value], kind: "whole", isLoose: true }));
}

/** The present text with one more sentence, or only that where there is none: what it is to mention besides what it says. */
export function findMore({ text }: Clause, now: string, isMore: boolean): readonly FreshText[] {
  const given = isMore || now === "" ? COLON.exec(text)?.[1]?.trim() : undefined;
  if (now === "" && given !== undefined) return [{ value: given, parts: [given], kind: "whole", isLoose: true }];
  const urged = URGED.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  const said = [given, ...MENTIONED.map((pattern) => pattern.exec(text)?.[1]), urged].find((one) => one !== undefined);
  const part = said?.trim().replace(/[,;]$/, "") ?? "";
  const more = said === urged ? part.replace(/^to /i, "").replace(/^not to /i, "do not ") : part;
  if (more === "" || more.length > LONGEST || now.includes(more)) return [];
  const sentence = `${more.slice(0, 1).toUpperCase()}${more.slice(1)}${/[。]$/.test(more) ? "" : /\p{Script=Han}/u.test(more) ? "。" : "."}`;
  return [{ value: `${now.trimEnd()} ${sentence}`.trim(), parts: [part], kind: "more", isLoose: true }];
}

/** "Lower, not higher", "adress should be address". */
const TURNS: readonly (readonly [pattern: RegExp, isTurned: boolean])[] = [
  [
    /([\p{L}'’-]+)["'”’]?,? (?:(?:should|must|ought to) (?:be|read)|becomes?|->|→|=>|to|by|with) ["'“‘]?([\p{L}'’-]+)/giu,
    false,
  ],
  [
    /([\p{L}'’-]+)["'”’]?,? (?:and not|not|instead of|rather than|statt|nicht|no|en lugar de|en vez de|au lieu de|et pas|pas) ["'“‘]?([\p{L}'’-]+)/giu,
    true,
  ],
];
/** Words that only lead to another text: "should be called ...". */
const LEADS = /^(?:called|named|titled|entitled|renamed|retitled|described|labelled|labeled|worded|reworded|changed)$/i;
const MISSPELT =
  /\b(?:typos?|spell\w*|misspel\w*|mis-spel\w*|letters? (?:missing|swapped)|tippfehler|schreibfehler|errata|falta de ortografía|faute|coquille)\b|错别字|打错/i;
/** Letters that a misspelt word differs by, at most, and has at least. */
const WRONG = { most: 2, least: 5 } as const;

/** The present text with one word in place of another that the message names, or that is misspelt. */
export function findWords({ text: message, tokens }: Clause, now: string): readonly FreshText[] {
  // Neither part of a quotation nor of a name such as `lineage.replay` is a word by itself.
  const text = message.replaceAll(
    /"[^"]*\s[^"]*"|“[^”]*\s[^”]*”|«[^»]*»|„[^“”]*\s[^“”]*[“”]|(?<![\p{L}\p{N}])['‘][^'‘’]*\s[^'‘’]*['’](?![\p{L}\p{N}])|\w+(?:[._]\w+)+/gu,
    " ",
  );
  const isWithin = (word: string) => wordIn(word).test(now);
  const turned = TURNS.flatMap(([pattern, isTurned]) =>
    [...text.matchAll(pattern)].map(([, one = "", other = ""]) => (isTurned ? [other, one] : [one, other])),
  ).filter(
    ([old = "", fresh = ""]) => !STOP.has(old.toLowerCase()) && !LEADS.test(fresh) && isWithin(old) && !isWithin(fresh),
  );
  const misspelt = MISSPELT.test(text)
    ? tokens.flatMap(({ text: fresh, kind }) => {
        if (kind === "sign" || fresh.length < WRONG.least || !/^[\p{L}'’-]+$/u.test(fresh) || isWithin(fresh))
          return [];
        const words = now.match(/[\p{L}'’-]+/gu) ?? [];
        const old = words.find((word) => distance(word.toLowerCase(), fresh.toLowerCase(), WRONG.most) <= WRONG.most);
        return old === undefined ? [] : [[old, fresh]];
      })
    : [];
  return [...turned, ...misspelt].map(([old = "", fresh = ""]) => ({
    value: now.replace(wordIn(old), (word) =>
      /^\p{Lu}/u.test(word) ? fresh.slice(0, 1).toUpperCase() + fresh.slice(1) : fresh,
    ),
    parts: [old, fresh],
    kind: "part",
    isLoose: true,
  }));
}

function wordIn(word: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${word}(?![\p{L}\p{N}])`, "iu");
}
