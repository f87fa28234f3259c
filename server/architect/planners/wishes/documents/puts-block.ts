import { isForeignDoubt, isScope } from "../../../message/find-application.ts";
import { speaksForOthers, toWords } from "../../../message/find-mood.ts";
import { maskQuotations } from "../../../message/find-quotations.ts";
import type { Sentence } from "../../../message/message.ts";
import type { Places } from "../places/places.ts";
import { words } from "../words/word-lists.ts";
import { OPEN } from "./says-only-that.ts";

const LEAD = String.raw`^\W*(?:(?:please|pls|plz|kindly|and|so|then|also|now|could you|can you|would you|will you|bitte)\W+)*`;
const VERBS =
  "apply|add|put|merge|insert|paste|include|set|use|make|adopt|bring|write|append|übernimm|ergänze|füge|trage|setze|añade|añadir|agrega|agregar|aplica|aplicar|pon|ajoute|ajouter|ajoutez|applique|appliquer|appliquez|mets|mettez";
/** An order whose object stands below: "add this to the access policy", "please make it look like this". */
const ORDER = new RegExp(`${LEAD}(?:${VERBS})(?= |[:：])`, "iu");
/** "annotations for search_tickets, please add:" */
const LATE = new RegExp(`^(?:please|pls|plz|bitte) (?:${VERBS})(?: (?:this|these|it|them))?\\s*[:：]$`, "iu");
/** "... , so in access.yaml:", "this goes into access.yaml:" */
const PLACED =
  /^(?:(?:so|and|then|therefore|hence|please|pls|now)[ ,]+)+(?:in|into|for) (?:the )?[\w./-]+\s*[:：]$|^(?:so |and |therefore )*(?:this|these|it|the following) (?:goes|go|belongs|belong) (?:in|into|to|under|below|with)\b[^:：]*[:：]?$/iu;
/** "chat_model should say this from now on:", "pickups needs these defaults:", "the stop rule of weather should be" */
const SAYS =
  /^(?<what>.{2,80}?) (?:(?:should|must|ought to|ha(?:s|ve) to|needs? to|(?:is|are) to) (?:now )?(?:(?:say|read|contain|have|hold|carry|get|be|become) (?:this|these|the following|what follows)|(?:be|become|read)(?=[:：]?$))|needs? (?:this|these|the following))(?<kinds>(?: [\w-]+){0,4}?)(?:,? (?:from now on|now|instead|please))?[:：.]?$/iu;
/** Asks for something to be like what stands below. */
const HAVE = String.raw`(?:(?:please )?(?:have|get|carry|read|be)|look like|be like) (?:this|these|the following)`;
/** "Can the weather parameters have this, please:", "house-rules like this please:" */
const ASKS = new RegExp(
  String.raw`^(?:(?:could|can|may|might) (?<what>(?!you\b|we\b|i\b).{2,80}?) ${HAVE}|(?<what>[\w ./-]{2,60}?) (?:exactly |just )?like this)(?:,? please)?[:：]?$`,
  "iu",
);
/** What a clause is about that another one before it names. */
const REFERS = /^(?:it|they|this|that|these|those)$/iu;
/** "New title for a tool, see below" */
const SEE =
  /^(?:please )?(?<what>new [\w ./-]{2,60}?)[,;:–—-]?\s+(?:please )?(?:see|as shown|given|shown|written) (?:below|here|above)[.:：]?$/iu;
const PLEA = new RegExp(
  String.raw`^\W*(?:could|can|would|will) you\b|^\W*(?:could|can|may|might) (?!i\b|we\b).{2,80}? ${HAVE}\b`,
  "iu",
);
/** Words of an order to put something somewhere that name nothing. */
const SMALL = words(
  "please pls plz kindly and so then also now could can would will you we me us this that these those it them they the a an following below above here to into in on for of from with among under below at by as like look looks goes go belongs belong new another more further one two exactly just let be should is are our its their own " +
    "bitte das dies diese dieses folgende folgendes die der den dem zu zur zum in im bei für hinzu ein " +
    "por favor esto estos estas lo el la los las a al en de del para ceci cela ces le les du des au aux dans pour s il vous plaît svp",
);
/** Words for the kinds of what manifests have. */
const KINDS = words(
  "role roles limit limits egress host hosts command commands approval approvals policy policies access parameter parameters params setting settings experiment experiments arm arms guardrail stop exploration reward tool tools " +
    "field fields argument arguments input output label labels default defaults value values annotation annotations example examples file files manifest manifests yaml yml json config configuration block snippet fragment rate rates cost retirement calls version properties title titles description descriptions range ranges bounds minimum maximum rule rules number numbers agent " +
    "rolle rollen grenzen parametern werkzeug rol roles límites parámetros herramienta rôle rôles limites paramètres outil",
);
const VERB_WORDS = new Set(VERBS.split("|"));

/** What is behind a preposition, and may be no part of the version: "put this in your notes". */
const DESTINATION = /(?<!\p{L})(?:in|into|onto|to|for|among|under)\s+(?!(?:look|be|read|have|become)\b)(.*)$/iu;

/** Tells whether a sentence of the sender orders to put what stands beside it where the words say, and leaves nothing open. */
export function putsBlock(sentence: Sentence, places: Places): boolean {
  const { mood } = sentence;
  const asked = toMasked(sentence);
  // Whoever asks for it politely wants it.
  const masked = PLEA.test(asked) && !/[,;–—]/.test(asked) ? asked.replaceAll(/[?？]/g, "") : asked;
  if (mood === "negation" || mood === "condition" || OPEN.test(masked) || isForeignDoubt(masked)) return false;
  if (mood === "question" && !PLEA.test(masked)) return false;
  const clauses = toClauses(masked);
  const isPlace = toPlaces(places);
  const last = clauses.at(-1) ?? "";
  if (PLACED.test(last) && isPlace(last)) return true;
  if (speaksForOthers(toWords(masked))) return false;
  const told = toldOf(clauses, masked);
  if (told !== undefined) return isPlace(told);
  const ordering = clauses.find((clause) => ORDER.test(clause));
  if (LATE.test(last)) return isPlace(clauses.slice(0, -1).join(" "));
  return ordering !== undefined && isPlace(ordering);
}

/** What a sentence says of what is to be like a block beside it; undefined where it says no such thing. */
function toldOf(clauses: readonly string[], masked: string): string | undefined {
  const own = clauses.filter((clause) => !isScope(clause));
  const { what, kinds = "" } =
    (SAYS.exec(own.join(", ")) ?? ASKS.exec(own.join(", ")) ?? SEE.exec(masked))?.groups ?? {};
  return what === undefined || REFERS.test(what) ? undefined : `${what} ${kinds}`;
}

/** Tells whether a sentence says to put something where no part of the version is: "include this in the minutes". */
export function putsElsewhere(sentence: Sentence, places: Places): boolean {
  const isPlace = toPlaces(places);
  return toClauses(toMasked(sentence)).some((clause) => {
    const [, destination] = ORDER.test(clause) ? (DESTINATION.exec(clause) ?? []) : [];
    return destination !== undefined && !isPlace(destination);
  });
}

function toMasked({ text }: Sentence): string {
  return maskQuotations(text.replace(/\{.*$/s, ""))
    .replaceAll(/\blook(?:s|ing)? after\b/giu, "mind")
    .trim();
}

function toClauses(masked: string): readonly string[] {
  return masked.split(/[,;–—]\s+|\s-\s/u);
}

/** Tells whether all words of a clause are small, or of names or kinds that the version has. */
function toPlaces(places: Places): (clause: string) => boolean {
  const names = toNames(places);
  const isKnown = (word: string) => [SMALL, KINDS, VERB_WORDS, names].some((known) => known.has(word));
  return (clause) => (clause.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).every(isKnown);
}

/** The words that names of a version consist of. */
function toNames({ things, version }: Places): ReadonlySet<string> {
  const names = things.flatMap(({ tool, set, role, parameter, field }) => [
    tool?.name,
    set?.name,
    role,
    parameter,
    field?.side === "input" ? field.name : undefined,
  ]);
  const files = version.policies.map(({ file }) => file);
  return new Set(
    [...names, ...files]
      .flatMap((name) => name?.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
      .flatMap((name) => [name, ...name.split("_")]),
  );
}
