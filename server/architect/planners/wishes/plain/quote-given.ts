import { ORDERING } from "../words/texts.ts";

/** A text that follows a colon and goes to the end of a message. */
const LAST = /^(?<before>.*?[^:：])[:：]\s*(?<given>\p{Lu}[^"“”„«»\n]{5,})$/su;
const KEY =
  "title|heading|label|caption|descriptions?|explanation|help(?: text)?|hint|wording|text|docs?|Titel|Überschrift|Beschreibung|Wortlaut|Text|título|descripción|texto|titre|description|texte";
/** Words that lead to a text, and those that do behind the word for one: "Set the description to: ...". */
const LEADING = new RegExp(
  String.raw`(?:(?<=^|[.!?]\s)(?:say|describe\b[^.!?]*\bas)|(?<![\p{L}])(?:append|add|insert) (?:this|the following|one) (?:sentence|line)\b[^.!?]*|(?<![\p{L}])(?:make (?:it|that|this)|put|write|(?:should|must|to|let it|can) (?:be|read|say)|reads|says|described(?: as)?|titled|called|(?:new|neuer?|nuev[oa]|nouve(?:au|lle)) (?:${KEY})|schreib(?:t|en)?|lauten|pon|poner|que diga|mettez|mets|écrivez)|(?<![\p{L}])(?:${KEY})(?![\p{L}])[^.!?]*(?<![\p{L}])(?:to|as|be|is|auf|zu|in|a|en|à)|(?<![\p{L}])(?:${KEY})|说明|描述|标题|改为|改成|写)(?:,? (?:like this|as follows|thus))?\s*$`,
  "iu",
);
const TITLE = /(?<![\p{L}])(?:titled?|heading|label|caption|called|Titel|Überschrift|título|titre)(?![\p{L}])|标题/iu;

/** Sentences behind a text that ask for something else: "Also, ...", "exec_run must cost 10 units". */
const NAMED = String.raw`(?:\x60|(?<!\p{L})\p{L}[\p{L}\d]*[_.]\p{L})`;
const OUGHT = String.raw`\b(?:should|must|ha(?:s|ve) to|needs? to|may)\b`;
const FURTHER = new RegExp(
  String.raw`,? plus (?=[^.!?]*${NAMED}[^.!?]*${OUGHT})|(?<=[.!?])\s+(?=(?:oh|also|and also|plus|next|besides|ps|p\.s\.|one more|another)(?:,| (?:and|thing|one|point|wish|please))|and\b[^.!?]*${NAMED}|[^.!?]*${NAMED}[^.!?]*${OUGHT}|[^.!?]*${OUGHT}[^.!?]*${NAMED})`,
  "iu",
);

/** A message whose new text follows a colon, with that text in quotation marks, so that none of its words names anything. */
export function quoteGiven(message: string): string {
  const { before = "", given: all = "" } = LAST.exec(message.trim())?.groups ?? {};
  if (!LEADING.test(before) || ORDERING.test(all)) return message;
  const end = FURTHER.exec(all)?.index ?? all.length;
  const [given, rest] = [all.slice(0, end).trim(), all.slice(end)];
  const isTitle = TITLE.test(before.replace(/^.*[.!?]\s/s, ""));
  return `${before}: "${isTitle ? given.replace(/[.。]$/u, "") : given}"${rest === "" ? "" : `.${rest}`}`;
}
