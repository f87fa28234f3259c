import { findApplication } from "../../../message/find-application.ts";
import type { Sentence } from "../../../message/message.ts";
import { ownSentences, readMessage } from "../../../message/read-message.ts";
import { readClause } from "../clause.ts";
import type { Places, Thing } from "../places/places.ts";
import { standingOf } from "../standing.ts";
import { words } from "../words/word-lists.ts";

/**
 * What a heading says of the items below it. `none`: nothing, as "two changes, please", or, where it is loose, something that may limit them
 * or speak of them, as "for the front desk". `things`: what they are about, which
 * may be one of several things of one name. `keys`: what of each is to be something, as "time limits". `order`: what is
 * to be done with each, as "remove these tools".
 */
export type Heading =
  | { readonly kind: "none"; readonly count: number | undefined; readonly isLoose?: boolean }
  | { readonly kind: "things"; readonly things: readonly Thing[]; readonly count?: number | undefined }
  | { readonly kind: "keys" | "order"; readonly text: string };

const MEETING = "(?:meeting|call|talk|discussion|workshop|round|review|retro|session|besprechung|sitzung)";
/** Where or when the items were agreed on, which says nothing of them: "after yesterday's meeting", "as agreed on Monday". */
const AGREED = new RegExp(
  [
    `[,–—-]?\\s*(?:after|from|following|since|per|nach) (?:(?:yesterday|today|this morning|last week|last night|last \\w+day)['’]s |(?:our|the|unserem) last |der gestrigen )(?:\\w+ )?${MEETING}`,
    `[,–—-]?\\s*after the (?!next|coming|upcoming|following)(?:\\w+ )?${MEETING}`,
    `[,–—-]?\\s*(?:(?:as|wie|como|comme) (?:we )?(?:discussed|besprochen|hablado)|(?:(?:as|wie|como|comme) (?:we )?)?(?:agreed|decided|settled|vereinbart|beschlossen|acordado|convenu|décidé))(?: (?:on|upon))?(?: (?:with|mit|con|avec) (?:the |our |dem |der )?(?:\\w+ )?\\w+)?(?: (?:(?:in|at|am|on|in der) )?(?:yesterday|today|this morning|last week|gestern|heute|ayer|hoy|hier|(?:(?:the|our|last) )*(?:\\w+ )?${MEETING}|\\w+day))?`,
    "[,–—-]?\\s*(?:as of|from|effective) (?:today|now|this morning)",
  ]
    .map((way) => `(?:${way})(?=\\s*[:：.]?\\s*$)`)
    .join("|"),
  "iu",
);
/** Words around the name of what items are about, which say nothing else. */
const FILLERS = words(
  "for in the of to on at new please pls plz regarding concerning about re and as follows following these this from should be have better nicer changes change updates update edits edit wishes wish set with " +
    "role roles tool tools parameter parameters params settings setting values value defaults default rules limits limit fields field arguments input experiment version next " +
    "für die der das den dem bei in im bitte neue neuen neuer werkzeug rolle rollen parameter werte regeln änderungen " +
    "para el la los las de del en por favor herramienta rol nuevos nuevas valores reglas cambios pour le les des du dans svp outil rôle nouvelles nouveaux valeurs règles changements",
);
const GREETING =
  /^(?:hi|hello|hey|hallo|hola|bonjour|dear|good morning)(?: (?:all|team|there|everybody|cairn))?[,!. ]+/iu;
const POLITE = /(?:^|[\s,])(?:please|pls|plz|bitte|por favor|svp|s['’]il (?:te|vous) plaît)(?=[\s,:：.!]|$)/giu;
const COUNTS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  zwei: 2,
  drei: 3,
  dos: 2,
  tres: 3,
  deux: 2,
  trois: 3,
};
const GENERAL =
  /^(?:(?:my|our|the|a|a few|a couple of|some|several|few|following|more|other|small|quick|little|here are|these are|i have|we have|do|make|\d|one|two|three|four|five|six|zwei|drei|dos|tres|deux|trois) )*(?:things?|changes?|wish(?:es)?|requests?|to-?dos?|points?|improvements?|edits?|tweaks?|fixes|updates?|adjustments?|änderungen|wünsche|dinge|punkte|cambios|cosas|changements|choses|souhaits)(?: (?:for today|i need|we need|i want|we want|to make|(?:to|of|in|for|on|an|bei|von|de|en|des) (?:the |our |den |los |las |les )?(?:roles?|rights?|permissions?|access|tools?|parameters?|settings?|limits?|defaults?|polic(?:y|ies)|rollen|rechten?|werkzeugen?|parametern?|permisos|herramientas|parámetros|rôles|droits|outils|paramètres)))?$|^(?:longer|shorter|higher|lower|bigger|larger|smaller|more|fewer|better|clearer|nicer|tighter|looser|stricter) (?:pages?|lists|texts?|answers|results|inputs|room|notes)(?: for (?:us|everybody|all))?$|^(?:roles|rights|permissions|rollen|rechte|permisos|rôles|droits)$|^$/iu;
/** "Two things for book_room" */
const ABOUT = /^(.+?) (?:for|about|concerning|regarding|on|in|to|of|für|bei|zu|para|en|pour|dans) (.+)$/iu;
const THESE = /\b(?:(?:the )?following|these|those|as follows|each of(?: these)?|diese|folgende|estos|estas|ces)\b/giu;

/** Reads the heading of a list; undefined where it says something else, so that its items may be no wish of the sender. */
export function readHeading(text: string, places: Places): Heading | undefined {
  const bare = toBare(text);
  if (GENERAL.test(bare)) return { kind: "none", count: countOf(bare) };
  const [, general = "", rest = ""] = ABOUT.exec(bare) ?? [];
  const isGeneral = general !== "" && GENERAL.test(general);
  const things = findThings(isGeneral ? rest : bare, places);
  if (things.length > 0) return { kind: "things", things, count: isGeneral ? countOf(general) : undefined };
  const sentences = ownSentences(readMessage(text));
  const [only] = sentences;
  if (only === undefined || sentences.length > 1) return undefined;
  if (isKeys(bare, places)) return { kind: "keys", text: bare };
  if (isOrder(only) && isExplained(bare, places))
    return { kind: "order", text: bare.replaceAll(THESE, " ").replaceAll(/\s+/g, " ").trim() };
  return LOOSE.test(text) && !LIMITED.test(bare) ? { kind: "none", count: undefined, isLoose: true } : undefined;
}

/** A few words above a list, which are no sentence. */
const LOOSE = /^(?:[^\s.!?:：]+ ){0,7}[^\s.!?:：]+\s*[:：]\s*$/u;
/** "What bothers me in the search:", "titles that I'd like to see:" */
const WANTED =
  /^(?:what|things? (?:that )?|stuff (?:that )?)(?: (?:bothers|annoys|is wrong|should change|has to change|must change|needs changing|(?:I|we) (?:miss|want|need|would like|['’]d like)))(?: (?:me|us))?(?= (?:in|about|with|of|for|on) |$)|,? (?:that |which )?(?:I|we)(?:['’]d| would)? (?:like|love|prefer|want|need|miss)(?: to (?:see|have|get|change))?$/iu;

function toBare(text: string): string {
  return text
    .trim()
    .replace(/^#+\s*|\*\*/g, "")
    .replace(GREETING, "")
    .replace(AGREED, "")
    .replaceAll(POLITE, " ")
    .replace(/\bfrom now on\b/iu, " ")
    .replace(/[\s:：,.!–—-]+$/u, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(WANTED, (found) => (/^\S/.test(found) ? "changes" : ""));
}

function countOf(text: string): number | undefined {
  const word = text
    .toLowerCase()
    .split(" ")
    .find((one) => /^\d$/.test(one) || Object.hasOwn(COUNTS, one));
  return word === undefined ? undefined : (COUNTS[word] ?? Number(word));
}

function isOrder(sentence: Sentence): boolean {
  return standingOf(sentence) === "order" && findApplication(sentence.text)?.kind !== "offer";
}

/** Words that limit an order, or leave it open. */
const LIMITED = /\b(?:only|except|but|not|never|maybe|if|when|nur|solo|seulement)\b|n['’]t\b/iu;

/** Tells whether an order says nothing but what is to be done, of which kind of things, and where. */
function isExplained(text: string, places: Places): boolean {
  const { tokens, weights, actions, keys, nouns } = readClause(text, places);
  const said = new Set([...[...actions.values()].flat(), ...[...keys.values()].flat(2), ...nouns.keys()]);
  const isKnown = (at: number) =>
    said.has(at) ||
    weights[at] === 0 ||
    FILLERS.has(tokens[at]?.lower ?? "") ||
    tokens[at]?.stems.every((stem) => places.frequency.has(stem)) === true;
  return actions.size > 0 && !LIMITED.test(text) && tokens.every(({ kind }, at) => kind === "sign" || isKnown(at));
}

/** Tells whether words only name keys of things: "time limits", "new titles". */
function isKeys(text: string, places: Places): boolean {
  const clause = readClause(text, places);
  const keys = new Set([...clause.keys.values()].flat(2));
  const isKey = (at: number) => keys.has(at) || FILLERS.has(clause.tokens[at]?.lower ?? "");
  return (
    keys.size > 0 && clause.negators.length === 0 && clause.tokens.every(({ kind }, at) => kind === "sign" || isKey(at))
  );
}

/** Kinds of things that a word of a heading tells apart. */
const KINDS: readonly (readonly [RegExp, readonly Thing["kind"][]])[] = [
  [/\b(?:roles?|rollen?|rol|rôle)\b/iu, ["role"]],
  [/\b(?:tools?|werkzeug|herramienta|outil)\b/iu, ["tool"]],
  [/\b(?:parameters?|params|settings?|rules|regeln|reglas|règles)\b/iu, ["set"]],
  [/\b(?:fields?|arguments?)\b/iu, ["field"]],
];

/** The things that a heading names, where it says nothing else. */
function findThings(text: string, places: Places): readonly Thing[] {
  const said = toWords(text);
  const found = places.things.flatMap((thing) => {
    const length = namesOf(thing).reduce((most, name) => Math.max(most, isAround(said, name) ? name.length : 0), 0);
    return length === 0 ? [] : [{ thing, length }];
  });
  const longest = Math.max(0, ...found.map(({ length }) => length));
  const all = found.filter(({ length }) => length === longest).map(({ thing }) => thing);
  // What is said of an experiment and of its parameters is told apart by its keys.
  const things = all.filter(
    ({ kind, set }) => kind !== "experiment" || !all.some((one) => one.kind === "set" && one.set === set),
  );
  const kinds = KINDS.find(([pattern]) => pattern.test(text))?.[1];
  const meant = kinds === undefined ? [] : things.filter(({ kind }) => kinds.includes(kind));
  return meant.length > 0 ? meant : things;
}

function namesOf({ kind, tool, set, role, field }: Thing): readonly (readonly string[])[] {
  const names =
    kind === "tool"
      ? [tool?.name, tool?.name.split(".").slice(1).join("."), tool?.title]
      : kind === "set" || kind === "experiment"
        ? [set?.name]
        : kind === "role"
          ? [role]
          : kind === "field" && field?.side === "input"
            ? [field.name]
            : [];
  return names.flatMap((name) => (name === undefined || name === "" ? [] : [toWords(name)]));
}

/** Tells whether words are a name with nothing but fillers around it. */
function isAround(said: readonly string[], name: readonly string[]): boolean {
  return said.some(
    (_, at) =>
      name.every((word, index) => said[at + index] === word) &&
      said.every((word, index) => (index >= at && index < at + name.length) || FILLERS.has(word)),
  );
}

function toWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
