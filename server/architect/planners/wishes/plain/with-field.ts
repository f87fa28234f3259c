import { maskQuotations } from "../../../message/find-quotations.ts";
import { findMood, speaksForOthers, toWords } from "../../../message/find-mood.ts";
import { listFields } from "../../directives/find-field.ts";
import { findTool } from "../../directives/find-tool.ts";
import { OPEN } from "../documents/says-only-that.ts";
import type { Places } from "../places/places.ts";

const NAME = String.raw`[\x60"']?(?<field>[a-z][\w.]*)[\x60"']?`;
const TOOL = String.raw`[\x60"']?(?<tool>[a-z][\w-]*(?:[._][\w-]+)+)[\x60"']?`;
/** A field that is named with its tool: "profile of start_build", "node.mutate says nothing about delta". */
const NAMED: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\w.])${NAME} (?:of|in) (?:the (?:input|output) of )?${TOOL}(?![\w.]*\w)`, "u"),
  new RegExp(
    String.raw`^\W*${TOOL} (?:says nothing about|(?:does not|doesn['’]t) (?:explain|describe)|still has) (?:(?:the|that|an?|its) )?${NAME}(?: (?:flag|field|argument|input))?(?![\w.]*\w)`,
    "u",
  ),
];
/** Between a reason and the order that it is for. */
const TURN = String.raw`(?:[.!;]\s+|,\s+|\s[–—-]\s+)(?:(?:so|then|please|pls|just|and|can you|could you) )*`;
/** "..., please describe it as ...", "... . Remove it", and nothing else. */
const ORDER = new RegExp(
  String.raw`^(?<reason>.+?)${TURN}(?:(?:re)?(?<describe>describe) it(?: as| with|:| like this:) (?<text>["“][^"“”]+["”]|'[^']+')|(?<verb>mark|deprecate|remove|drop|delete|get rid of|strike) it(?<rest>(?: (?:as deprecated|please|altogether|completely|now))*))[.!]*$`,
  "iu",
);
/** "... has no description. Use: ..." */
const TEXT = new RegExp(
  String.raw`^(?<reason>.+?)${TURN}(?:use|write|say|(?:suggested|new|better) description)(?: (?:this|instead))?[:：] ?(?<text>["“][^"“”]+["”]|\p{Lu}[^"“”:]+)$`,
  "iu",
);
/** What a reason says that is lacking, which denies nothing. */
const LACKS =
  /\b(?:(?:has|have|with) no|(?:does not|doesn['’]t) (?:have an?|explain|describe)|lacks an?|says nothing about|without an?) ?(?:description|title|explanation)?|\bundocumented\b/iu;
/** Words before the name of a field, which say what it is. */
const KIND = /^\W*(?:(?:the|that|its|input|argument|field|parameter) )+/iu;
const OUTPUT = /\b(?:outputs?|returns?|returned|gives?|given back|answers?|results?)\b/iu;
const OTHER = /\b(?:tools?|they|them|these|those|both|should|must|want|please|needs?)\b/iu;

/**
 * A message whose first words name one field with its tool, and only say why, with that field in the place of the word that
 * stands for it in the order behind: "profile of start_build is undocumented, describe it as ...".
 */
export function withField(text: string, places: Places): string {
  if (text.includes("\n")) return text;
  const order = ORDER.exec(text)?.groups;
  const given = order ?? TEXT.exec(text)?.groups;
  const reason = given?.["reason"] ?? "";
  const field = given === undefined || !isReason(reason) ? undefined : findNamed(reason, places);
  if (field === undefined) return text;
  if (order?.["verb"] !== undefined) return `${toCapital(order["verb"])} ${field}${order["rest"] ?? ""}`;
  const said = given?.["text"] ?? "";
  if (order === undefined && !LACKS.test(reason)) return text;
  return `Set the description of ${field} to ${/^["“']/u.test(said) ? said : JSON.stringify(said)}`;
}

/** Tells whether a sentence only tells something, and leaves nothing open. */
function isReason(reason: string): boolean {
  const masked = maskQuotations(reason.replace(LACKS, " "));
  const mood = findMood(masked);
  // "Limit of task_list" and "name in note_get" may seem to be orders.
  const isSubject = NAMED[0]?.exec(reason.replace(KIND, ""))?.index === 0;
  const isTold = (mood === "report" || (mood === "imperative" && isSubject)) && !/[?？]/u.test(masked);
  return isTold && !OPEN.test(masked) && !OTHER.test(masked) && !speaksForOthers(toWords(masked));
}

/** Finds the input that a reason names with its tool; undefined where it speaks of an output. */
function findNamed(reason: string, { version }: Places): string | undefined {
  for (const pattern of NAMED) {
    const found = pattern.exec(reason);
    // "The postcode of the contact in reserve_seats" is not about the contact.
    if (/\b(?:of|in|from)\b/iu.test(reason.slice(0, found?.index))) continue;
    const { field = "", tool: name = "" } = found?.groups ?? {};
    const tool = name === "" ? undefined : findTool(version, name);
    const all = tool === undefined ? [] : listFields(tool).filter((one) => one.name === field);
    const only = OUTPUT.test(reason) ? undefined : all.find(({ side }) => side === "input");
    if (only !== undefined && tool !== undefined) return `the input ${field} of ${tool.name}`;
  }
  return undefined;
}

function toCapital(verb = ""): string {
  return verb.charAt(0).toUpperCase() + verb.slice(1);
}
