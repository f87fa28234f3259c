import type { Version } from "../../../../versions/version.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { placesAcross } from "../words/words.ts";
import { type Draft, explainNouns, hasNoun } from "./draft.ts";

const NAME = String.raw`["'\x60«„“]?(?<name>[a-z][\w-]{0,62}\w)["'\x60»“”]?`;
/** Sayings that something gets another name. */
const RENAMES: readonly RegExp[] = [
  new RegExp(String.raw`\brename[ds]?\b.{1,60}?\b(?:to|into|as)\s+${NAME}`, "iu"),
  new RegExp(
    String.raw`\b(?:should|must|shall|ought to|may|can|has to|needs? to|is to) (?:now |rather )?be (?:called|named|known as|renamed(?: to)?)\s+${NAME}`,
    "iu",
  ),
  new RegExp(String.raw`\b(?:call|name)\s+(?:the\s+|our\s+)?(?:label\s+\S+|\S+\s+label)\s+${NAME}`, "iu"),
  new RegExp(String.raw`\blabel\b.{1,60}(?:->|=>|→)\s*${NAME}`, "iu"),
  new RegExp(String.raw`\bbenenne\b.{1,60}?\bin\s+${NAME}\s+um\b`, "iu"),
  new RegExp(String.raw`\b(?:soll|sollte)\b.{0,30}?\s+${NAME}\s+heißen\b`, "iu"),
  new RegExp(String.raw`\b(?:renombra|llama)\w*\b.{1,60}?\ba\s+${NAME}`, "iu"),
  new RegExp(String.raw`\b(?:renomme[rz]?|appelle[rz]?)\b.{1,60}?\ben\s+${NAME}`, "iu"),
  new RegExp(String.raw`(?:改名为|改名叫|重命名为|改叫)\s*${NAME}`, "iu"),
];
/** Any of such sayings, also where no name is understood: nothing goes by them. */
const RENAMING =
  /\b(?:renam\w*|(?:be|is) (?:called|named)|(?:call|name) (?:(?:the|our) )?(?:label \S+|\S+ label)|umbenenn\w*|heißen|renombr\w*|renomm\w*)\b|(?:->|=>|→) ?["'\x60]?(?!v?\d)\p{L}|改名|重命名|改叫/iu;

/** Tells whether a clause gives a label another name. */
export function isRename(clause: Clause, { version }: Places): boolean {
  const [first] = labelsOf(clause, version);
  if (first === undefined || !RENAMING.test(clause.text)) return false;
  return hasNoun(clause, "label") || clause.tokens[first.at - 1]?.lower.startsWith("renam") === true;
}

/** Drafts that give a label another name; it stands for the version that it stood for. */
export function draftLabelRename(clause: Clause, { version }: Places): readonly Draft[] {
  const [old, ...others] = labelsOf(clause, version);
  const found = RENAMES.map((pattern) => pattern.exec(clause.text)).find((match) => match !== null);
  const name = found?.groups?.["name"]?.toLowerCase();
  const { labels } = version.history;
  if (old === undefined || found === undefined || name === undefined || name === old.label || labels.has(name))
    return [];
  if (clause.negators.length > 0 || others.length > 0) return [];
  const start = found.index + found[0].toLowerCase().lastIndexOf(name);
  const own = placesAcross(clause.tokens, { start, end: start + name.length });
  const verbs = clause.tokens.flatMap(({ text }, at) =>
    /^(?:renam\w*|call|called|name|named|benenne|um|heißen|renombra|llama|renomme|renommez)$/iu.test(text) ? [at] : [],
  );
  return [
    {
      name: `label ${old.label} > ${name}`,
      label: `the label \`${old.label}\``,
      thing: undefined,
      isNamed: true,
      explained: new Set([
        old.at,
        ...own,
        ...verbs,
        ...explainNouns(clause, "label"),
        ...(["rename", "label", "set", "replace"] as const).flatMap((action) => clause.actions.get(action) ?? []),
      ]),
      soft: new Set(),
      doubt: 0,
      deed: renameLabel(old.label, name, labels.get(old.label) ?? ""),
    },
  ];
}

/** The labels that a clause names. */
function labelsOf(
  { tokens }: Clause,
  { history }: Version,
): readonly { readonly label: string; readonly at: number }[] {
  return tokens.flatMap(({ lower, kind }, at) =>
    kind !== "sign" && history.labels.has(lower) ? [{ label: lower, at }] : [],
  );
}

/** Has a version go by another label. */
function renameLabel(old: string, name: string, target: string): Deed {
  return async (bench) => {
    await bench.remove("versions.yaml", ["labels", old]);
    await bench.set("versions.yaml", ["labels", name], target);
    bench.say(`The label \`${name}\` stands for ${target}, and \`${old}\` for no version any more.`);
  };
}
