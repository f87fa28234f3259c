import { findApplication } from "./find-application.ts";
import { speaksForOthers, toCore, toWords } from "./find-mood.ts";
import type { Draft, SentenceDraft } from "./drafts.ts";

const INTRODUCED = { kind: "data", form: "introduced", language: "", isApplied: false, isOffered: false } as const;

/** Extent of what a sentence introduces, where no fence or quotation mark shows it. */
type Reach = "none" | "paragraph" | "next" | "rest";

/** Headings that a sender puts above their own wishes. */
const HEADING =
  /^(?:(?:my|our|the|a|two|three|four|some|several|few|following|more|other|small|here are|these are) )*(?:things?|changes?|wish(?:es)?|requests?|orders?|to-?dos?|tasks?|points?|items?|improvements?|suggestions?|proposals?|feedback|edits?|updates?|in short|summary)(?: (?:please|for (?:today|you|chat|the \w+)|(?:that )?(?:i|we) (?:want|need|would like|have|ask for)))?$|^what (?:i|we) (?:want|need|would like|ask for)(?: is)?$|^[\w./-]+\.\w{1,8}$|^(?:hi|hello|hey|dear)\b[\w ,]{0,40}$|^$/;
/** Headings of what a sender has to say besides; below others, everything may be somebody else's. */
const ASIDE =
  /^(?:(?:the|my|our|some|a) )*(?:background|context|problem|reason(?:s|ing)?|motivation|details?|explanation|why|symptoms?|observations?|situation|goal|idea)\b[\w' -]{0,40}$/;
/** Texts that others write, or that only show something. */
const TEXT =
  /\b(?:examples?|samples?|messages?|e?-?mails?|tickets?|issues?|comments?|requests?|prompts?|transcripts?|logs?|quotes?|quotations?|spam|attacks?|injections?|outputs?|responses?|repl(?:y|ies)|reviews?|notes?|letters?|posts?|tweets?|conversations?|snippets?|excerpts?|statements?|users?|customers?|clients?|attackers?|colleagues?|complaints?|payloads?|traces?|errors?|dumps?)\b/;
const OTHERS_TEXT =
  /\b(?:e?-?mails?|tickets?|letters?|transcripts?|spam|complaints?|conversations?|what (?!i\b|we\b|is\b|follows\b)[\w' -]{1,40} (?:says?|said|writes?|wrote|sent|asks?|asked|wants?|wanted))\b/;
/** Says that something stands below: `Here is`, `This is what`. */
const PRESENTS =
  /^(?:here|below|attached|enclosed|following|the following|this|these|that)(?: \w+)?(?:'s| is| are| was| were| comes?| follows?)\b/;
const POINTS = /\b(?:this|these|that|those|the following|as follows|below|here)\W*$/;
const UNCLOSED = /: ?["'\u201c\u201e\u00ab\u2018]/;

/**
 * Makes data of what stands below a sentence that says that somebody else's words follow, or that shows something: what is
 * introduced is no order, whether or not it stands in a block. Sentences that ask for something introduce orders.
 */
export function markIntroduced(drafts: readonly Draft[], text: string): readonly Draft[] {
  const marked: Draft[] = [];
  for (let at = 0; at < drafts.length; at += 1) {
    const [draft, next] = [drafts[at], drafts[at + 1]];
    if (draft?.kind !== "sentence" || next === undefined) {
      if (draft !== undefined) marked.push(draft);
      continue;
    }
    const reach = findReach(draft, next.kind === "data");
    const introduces = reach === "none" ? isHeading(draft) : onlyIntroduces(draft);
    marked.push({ ...draft, introduces });
    if (reach === "none" || next.kind === "data") continue;
    const paragraph = reach === "paragraph" ? draft.paragraph : next.paragraph;
    const isOver = (one: Draft) => one.kind === "data" || one.paragraph !== paragraph;
    const end = reach === "rest" ? -1 : drafts.findIndex((one, index) => index > at && isOver(one));
    const below = drafts.slice(at + 1, end < 0 ? drafts.length : end);
    marked.push(...hideSentences(below, text));
    at += below.length;
  }
  return marked;
}

/** Sentences that stand together as one piece of data. */
function hideSentences(drafts: readonly Draft[], text: string): readonly Draft[] {
  const hidden: Draft[] = [];
  for (const draft of drafts) {
    const last = hidden.at(-1);
    const isMore = draft.kind === "sentence" && last?.kind === "data" && last.form === "introduced";
    const [start, end] = [isMore ? last.start : draft.start, draft.end];
    if (isMore) hidden.pop();
    if (draft.kind === "data") hidden.push(draft);
    else hidden.push({ ...INTRODUCED, text: text.slice(start, end), start, end });
  }
  return hidden;
}

/** Checks that a sentence is only a heading above wishes of the sender. */
function isHeading({ masked, mood }: SentenceDraft): boolean {
  const words = toWords(masked);
  return mood === "report" && words.endsWith(":") && HEADING.test(toCore(words));
}

/** Not what denies or asks something of what follows. */
function onlyIntroduces({ mood, masked }: SentenceDraft): boolean {
  return mood === "report" || (mood === "negation" && PRESENTS.test(toCore(toWords(masked))));
}

function findReach(sentence: SentenceDraft, isAboveData: boolean): Reach {
  const words = toWords(sentence.masked);
  const core = toCore(words);
  const isOthers = speaksForOthers(words);
  if (sentence.mood === "imperative") {
    const isOrder = isAboveData || !words.endsWith(":") || findApplication(sentence.masked) !== undefined;
    return isOrder || !OTHERS_TEXT.test(words) ? "none" : "rest";
  }
  if (words.endsWith(":")) {
    if (HEADING.test(core) || isOwnOrder(sentence)) return "none";
    return ASIDE.test(core) && !isOthers ? "next" : "rest";
  }
  if (isOthers && /^.{1,200}?: ?\S/.test(words)) return UNCLOSED.test(sentence.masked) ? "rest" : "paragraph";
  if (!sentence.endsLine || sentence.mood !== "report") return "none";
  if (isAboveData) return isOthers || PRESENTS.test(core) ? "next" : "none";
  const isShown = PRESENTS.test(core) && !/^(?:attached|enclosed)\b/.test(core) && (isOthers || TEXT.test(words));
  return isShown || (isOthers && POINTS.test(words)) ? "rest" : "none";
}

/** Checks that a report is an order of the sender all the same: "Bitte übernehmen:". */
function isOwnOrder({ masked, mood }: SentenceDraft): boolean {
  const application = findApplication(masked, mood);
  return application !== undefined && application.kind !== "offer";
}
