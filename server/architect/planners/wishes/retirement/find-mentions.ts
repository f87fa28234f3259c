import type { Tool } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";

/** A tool that a clause calls by its name. */
export interface Mention {
  readonly tool: Tool;
  /** The word that names it. */
  readonly at: number;
  /** True: it is to be used in the place of another one. */
  readonly isSuccessor: boolean;
}

/** Letters before a name in which a word may say what it is for. */
const BEFORE = 70;
const PEOPLE =
  "(?: (?:them|people|callers|folks|everybody|everyone|users|clients|agents|integrators|us|leute|alle|(?:a )?la gente|a todos|les gens|tout le monde))?";
/** Ends before the name of a successor. */
const INTRODUCES = new RegExp(
  `(?:\\b(?:in favou?r of|instead(?: of (?:it|that|this))?(?: use| comes| there is)?|us(?:e|ed|es|ing)|tak(?:e|ing)|call(?:ing)?|prefer(?:s|red)?|recommend(?:s|ed)?|see|go (?:for|to|with|over to)|` +
    `(?:point|send|refer|direct|nudge|steer|redirect|lead|guide|switch|move|migrate|turn|warn)(?:s|ed|ing)?${PEOPLE}(?: over| back)? (?:to|at|towards|onto)|` +
    "(?:replaced|superseded|covered|succeeded) (?:by|with)|(?:pointer|reference|hint|moved?|go|referral) (?:to|at)|successor(?: is| being| will be)?|replacement(?: is| being)?|" +
    "zugunsten(?: von)?|nachfolger(?:in)?(?: ist| heißt| wird)?|stattdessen(?: gibt es| ist| nutzt| bitte)?|(?:ersetzt|abgelöst) durch|durch|(?:verweis|hinweis|verweise[nst]?) auf|nimm|nutz\\w*|verwend\\w*|" +
    "a favor de|(?:sustituid|reemplazad|sustitu|reemplaz)\\w* por|en su lugar(?: est[áa]| usen?| usar)?|sucesor\\w*(?: es)?|us(?:en|ar|ad|a)|utili\\w+|recomiend\\w+|(?:tirar|tire[n]?) de|" +
    "au profit de|(?:remplacé\\w*|supplanté\\w*) par|successeur(?: est)?|utilise[rz]?|passer par|se servir de|voir|renvoi vers|vers)|->|→|=>|改用|改走|请用|使用|替换为|换成|由|去)" +
    "[\\s:,(]*(?:the |our |tool |das |die |den |la |el |le |l['’]|herramienta |outil )?[`\"'“«(]*\\s*$",
  "iu",
);
/** Follows the name of a successor. */
const TAKES_OVER =
  /^[`"'”»)]*\s*(?:\([^)]{0,40}\)\s*)?(?:tool\s+)?(?:instead\b(?! of)|(?:as|for|als|como|comme) (?:(?:its|the|their|a|su|la|el|le|son|sa) )?(?:successor|replacement|substitute|alternative|nachfolger(?:in)?|ersatz|sucesora?|sustitut[oa]|successeur|remplaçante?)\b|(?:now |already )?(?:does|do|can do|covers|handles|tells|gives|offers|replaces|supersedes|succeeds|serves|takes over|is (?:now )?(?:its|the|our) (?:successor|replacement|way|one|tool)|is (?:now )?(?:what|where|better|enough|to be used|recommended|preferred|used)|is (?:meant )?to (?:take over|replace))\b|(?:statt dessen|stattdessen|übernimmt|ersetzt|löst|kann|macht)\b|(?:es (?:su|el|la) (?:sucesor|sustitut)|(?:la|lo|le) (?:sustituye|reemplaza)|hace lo mismo|basta)|(?:le |la |l['’])(?:remplace|supplante)|prend (?:la relève|le relais)|suffit|代替|取代|顶替|替代|作为(?:替代|接替|继任))/iu;
const DENIED =
  /(?:\b(?:not|no|nobody|none|never|stop|stopped|don['’]?t|doesn['’]?t|isn['’]?t|shouldn['’]?t|nicht|niemand|kein\w*|nadie|nunca|ne|n['’]|plus|personne|no longer)\b|不|别|没)[^.;:,]*$/iu;

/** Ends before the name of a tool that something is a part of, and before one whose own end is meant. */
const OWNED = /(?:\S\s+(?:in|of|from|within|inside|en|dans|bei|von|vom|beim|del?|du)\s+(?:the |tool )*[`"']?|的\s*)$/iu;
const WHOLE =
  /\b(?:end|deprecation|life|sunset|retirement|warning|notice|rid|Ende|fin|vie|vida)\s+(?:of|von|del?|du)\s+[`"']?$/iu;

/** Finds the tools that a clause calls by their names, and which of them are to take the place of others. */
export function findMentions(clause: Clause, { version }: Places): readonly Mention[] {
  const { tokens, text } = clause;
  const named = new Map<string, Tool>();
  for (const tool of version.tools.values()) {
    const short = tool.name.split(".").at(-1) ?? tool.name;
    if (short.includes("_")) named.set(short.toLowerCase(), tool);
  }
  for (const tool of version.tools.values()) named.set(tool.name.toLowerCase(), tool);
  return tokens.flatMap(({ lower, start, end }, at): readonly Mention[] => {
    const tool = named.get(lower);
    if (tool === undefined) return [];
    return [{ tool, at, isSuccessor: isIntroduced(text, start) || TAKES_OVER.test(text.slice(end)) }];
  });
}

/** Tells whether something is to be used in the place of another that no tool is called. */
export function namesUnknown({ text }: Clause, { identifiers }: Places): boolean {
  return [...text.matchAll(/[A-Za-z]\w*(?:\.\w+|_\w+)+/g)].some(
    ({ 0: name, index }) => !identifiers.has(name.toLowerCase()) && isIntroduced(text, index),
  );
}

/** Tells whether a clause speaks of a part of what stands at a place: "the flag of builds.start_build". */
export function isOwner({ tokens, text }: Clause, at: number): boolean {
  const before = text.slice(0, tokens[at]?.start);
  return OWNED.test(before) && !WHOLE.test(before);
}

function isIntroduced(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start).replace(/^.*[.!?;]\s/s, "");
  return INTRODUCES.test(before) && !DENIED.test(before);
}
