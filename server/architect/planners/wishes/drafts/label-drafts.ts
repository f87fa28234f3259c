import { pointAt, removeLabels } from "../../directives/phrases/move-labels.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, has, hasNoun } from "./draft.ts";
import { findStaying } from "../contrary/leaves-named.ts";
import { draftLabelRename, isRename } from "./label-rename.ts";
import type { Places } from "../places/places.ts";
import { roleOf } from "../words/role-of.ts";
import { wholeName } from "../words/whole-name.ts";
import { placesOfMatch } from "../words/words.ts";

const VERSION = /^v?(\d+\.\d+\.\d+(?:[+-][\w.+-]+)?)$/;
const NAME = /^[a-z][\w.-]{0,63}$/i;
/** Sayings of the version that is the current one. */
const CURRENT =
  /\b(?:the |our |whatever is the )?(?:current|present|newest|latest) (?:version|release)\b|\b(?:die |der )?(?:aktuellen?|jetzigen?|neuesten?) version\b|\b(?:la )?versi[oó]n (?:actual|vigente)\b|\b(?:la )?version actuelle\b|当前(?:的)?版本|最新(?:的)?版本/iu;
/** Sayings of the version that another label stands for. */
const SAME =
  /\b(?:the )?same (?:version|release) as (?:the )?(?:label )?["'\x60]?(?<label>[a-z][\w.-]*\w)|\b(?:to )?where (?:the )?(?:label )?["'\x60]?(?<label>[a-z][\w.-]*\w)["'\x60]? (?:is|points|stands)\b/iu;
/** Words that go along with a version that a label stands for. */
const STANDING = /^(?:points?|stands?|move|on|over|up|ahead|forward)$/;

/** Words of those who tell how a label and the current version are, or whom it is for. */
const TELLING = /\b(?:who|whose|cannot|can['’]t|behind|ahead of|older|newer|than|same as|differs?|already)\b/iu;
/** Sayings that nobody has something any more. */
const UNUSED =
  /\b(?:nobody|no[ -]?one|nothing|never|unused|useless|no longer|any ?more|any longer|obsolete|superfluous|history|relic|left ?over|without|off with|lose|go|goes|going|gone|need(?:n['’]t| no)|don['’]t need|weg|überflüssig|niemand\w*|keiner|nicht mehr|ya no|nadie|sobra|personne|inutile|plus)\b|不再|没人|没用|多余/iu;
const DISUSED =
  /\b(?:we|they|people|teams?|clients?|callers?) (?:do|does)(?:n['’]t| not) (?:even )?(?:use|need|have|want)\b/iu;
/** Verbs of labels that there are: "time to move it to 2.4.0" makes none. */
const MOVED = /\b(?:mov|shift)(?:e[sd]?|ing|s|ed)?\b/iu;
const ARROW = /->|=>|→/;

/** A word that names a label, the first of a name of several. */
interface Named {
  readonly label: string;
  readonly at: number;
  /** The words of a new name, `long-term`. */
  readonly words?: readonly number[];
}

/** A version that a clause names, with the words that do. */
interface Target {
  readonly target: string;
  readonly at: number;
  readonly words: readonly number[];
}

/** Drafts about which version a label stands for. */
export function draftLabels(clause: Clause, places: Places): readonly Draft[] {
  if (isRename(clause, places)) return draftLabelRename(clause, places);
  const { version, identifiers } = places;
  const { labels, versions } = version.history;
  const all = clause.tokens.flatMap(({ text }, at) => (VERSION.test(text) ? [at] : []));
  const staying = findStaying(clause);
  const newcomer = findNewcomer(clause, labels);
  const targets = findTargets(clause, places);
  const everyLabel = clause.tokens.flatMap(({ text, kind }, at): readonly Named[] =>
    kind !== "sign" &&
    labels.has(text.toLowerCase()) &&
    !staying.names.has(text.toLowerCase()) &&
    !targets.some(({ words }) => words.includes(at))
      ? [{ label: text.toLowerCase(), at }]
      : [],
  );
  const nouns = nounsOf(clause);
  const [target, ...more] = targets;
  // Of several labels, the one before the version is probably meant.
  const isOneOfSeveral = everyLabel.length > 1 && target !== undefined && !has(clause, "remove");
  const before = everyLabel.findLast(({ at }) => at < (target?.at ?? 0));
  const named =
    newcomer !== undefined ? [newcomer.named] : isOneOfSeveral && before !== undefined ? [before] : everyLabel;
  const base = { thing: undefined, soft: new Set<number>(), label: "a label" };
  const gone = explainActions(clause, ["remove"]);
  // "We do not use it" is why it goes.
  const idle = gone === undefined ? [] : placesOfMatch(clause.tokens, clause.text, DISUSED);
  if (clause.negators.some((at) => !idle.includes(at)) || more.length > 0) return [];
  // Where no word takes it away, or tells that nobody has it, it stays.
  const isUnused = UNUSED.test(clause.text) && target === undefined && !ARROW.test(clause.text);
  if (gone?.length === 0 && !isUnused) return [];
  // "Steady moves to 1.2.0 and archive can go": a version that none of them stands for is where one is to go.
  const isMoved =
    target !== undefined && (named.length > 1 || !named.some(({ label }) => labels.get(label) === target.target));
  if (gone !== undefined && isMoved) return [];
  if (gone !== undefined && named.length > 0 && nouns.length > 0) {
    return [
      {
        ...base,
        name: `label - ${named.map(({ label }) => label).join()}`,
        explained: new Set([...gone, ...idle, ...nouns, ...all, ...named.map(({ at }) => at), ...staying.words]),
        doubt: 0,
        deed: removeLabels(named.map(({ label }) => label)),
      },
    ];
  }
  const verbs = explainActions(clause, ["label", "set", "promote", "add", "revert", "start", "rename"]);
  const back = has(clause, "revert");
  // "Stable is behind the current version" asks for nothing.
  const isTold = all.length === 0 && (TELLING.test(clause.text) || ((verbs ?? []).length === 0 && !isMoving(clause)));
  if (target === undefined || isTold || (verbs === undefined && named.length === 0) || has(clause, "remove")) return [];
  const fresh =
    named.length > 0 ? [] : findFreeNames(clause, [...all, ...target.words, ...nouns, ...(verbs ?? [])], identifiers);
  const [only, ...others] = named.length > 0 ? named : chooseFresh(clause, fresh, nouns);
  if (only === undefined || others.length > 0) return [];
  // A new label is only made where a word says that a label is meant.
  const isSaid = named.length > 0 || hasNoun(clause, "label") || (has(clause, "label") && !MOVED.test(clause.text));
  const now = labels.get(only.label);
  const isForward = back && now !== undefined && versions.has(target.target) && now < target.target;
  return [
    {
      ...base,
      label: `the label \`${only.label}\``,
      name: `label ${only.label}=${target.target}`,
      explained: new Set([
        ...(verbs ?? []),
        ...nouns,
        ...all,
        ...target.words,
        ...(only.words ?? [only.at]),
        ...(newcomer?.words ?? []),
        ...standing(clause),
      ]),
      doubt: (isSaid ? 0 : 1) + (isForward ? 1.5 : 0) + (isOneOfSeveral && newcomer === undefined ? 1 : 0),
      deed: (bench) => pointAt(version, [only.label], target.target)(bench),
    },
  ];
}

/** The words of a clause that may name a new label, besides those that say something else. */
function findFreeNames(clause: Clause, said: readonly number[], identifiers: ReadonlySet<string>): readonly Named[] {
  if (clause.keys.size > 3) return [];
  const verbs = new Set([...clause.actions.values()].flat());
  return clause.tokens.flatMap(({ kind, lower }, at) => {
    const isKey = isKeyed(clause, at);
    const isTaken =
      ((clause.weights[at] ?? 0) === 0 && !isKey) || kind === "sign" || kind === "number" || said.includes(at);
    const { name, words } = wholeName(clause.tokens, clause.text, at);
    const isOther = (identifiers.has(lower) || verbs.has(at)) && !isKey && words.length === 1;
    return isTaken || !NAME.test(name) || isOther || words[0] !== at ? [] : [{ label: name.toLowerCase(), at, words }];
  });
}

/** Before a label that another one comes beside: "add a label training beside stable". */
const BESIDE = /^(?:beside|besides|alongside|to|neben|junto|además|à)$/;

/** The label that a clause wants to be there besides others, behind the word for labels, with the words for those. */
function findNewcomer(
  { text, tokens, nouns, weights, actions }: Clause,
  labels: ReadonlyMap<string, string>,
): { readonly named: Named; readonly words: readonly number[] } | undefined {
  const isOld = (at: number) => labels.has(tokens[at]?.lower ?? "");
  const beside = tokens.flatMap((_, at) => (isOld(at) && BESIDE.test(tokens[at - 1]?.lower ?? "") ? [at] : []));
  const at = tokens.findIndex(
    (token, place) =>
      token.kind === "word" &&
      (weights[place] ?? 0) > 0 &&
      NAME.test(token.text) &&
      nouns.get(place - 1)?.has("label") === true,
  );
  const { name, words } = wholeName(tokens, text, at);
  const isNew = at >= 0 && !isOld(at) && ![...actions.values()].flat().includes(at);
  return isNew && beside.length > 0
    ? { named: { label: name.toLowerCase(), at, words }, words: beside.flatMap((place) => [place - 1, place]) }
    : undefined;
}

/** The versions that a label may be to stand for: by number, or else the current one. */
function findTargets(clause: Clause, { version }: Places): readonly Target[] {
  const written = clause.tokens.flatMap(({ text, kind }, at): readonly Target[] => {
    const target = kind === "number" ? undefined : VERSION.exec(text)?.[1];
    return target === undefined || roleOf(clause.tokens, at) === "from" ? [] : [{ target, at, words: [at] }];
  });
  const isWritten = clause.tokens.some(({ text }) => VERSION.test(text));
  const same = version.history.labels.get((SAME.exec(clause.text)?.groups?.["label"] ?? "").toLowerCase());
  const words = placesOfMatch(clause.tokens, clause.text, same === undefined ? CURRENT : SAME);
  const [at] = words;
  if (same !== undefined && at !== undefined && !isWritten) return [{ target: same, at, words }];
  return isWritten || at === undefined ? written : [{ target: version.history.current, at, words }];
}

/** The words for labels and for versions. */
function nounsOf({ tokens, nouns }: Clause): readonly number[] {
  return tokens.flatMap(({ lower }, at) =>
    nouns.get(at)?.has("label") === true || /^(?:version|release|released?)$/.test(lower) ? [at] : [],
  );
}

/** Of words that may name a new label, the one that is said to, or else the one behind the word for labels. */
function chooseFresh({ tokens }: Clause, fresh: readonly Named[], nouns: readonly number[]): readonly Named[] {
  const isCalled = (at: number) =>
    /^(?:called|named|namens|genannt|llamad[oa]|nommée?|:|叫)$/.test(tokens[at]?.lower ?? "");
  const called = fresh.filter(({ at }) => isCalled(at - 1));
  const besideNoun = called.length === 1 ? called : fresh.filter(({ at }) => nouns.includes(at - 1));
  return besideNoun.length === 1 ? besideNoun : fresh;
}

function isMoving({ text }: Clause): boolean {
  return /\b(?:can|may|should|must|could|shall|has to|have to|please|let)\b[^.]*\b(?:go|come|stand|be|get)\b/iu.test(
    text,
  );
}

function standing({ tokens }: Clause): readonly number[] {
  return tokens.flatMap(({ lower }, at) => (STANDING.test(lower) ? [at] : []));
}

/** Tells whether a word stands between the word for labels and a colon, so that it can only be a name: "label next: 1.2.0". */
function isKeyed({ tokens, nouns }: Clause, at: number): boolean {
  return nouns.get(at - 1)?.has("label") === true && /^(?:[:=：]|->|→)$/.test(tokens[at + 1]?.text ?? "");
}
