import { isObject } from "../../../../json/is-object.ts";
import type { Example, Tool } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import { hasNoun } from "../drafts/draft.ts";
import { STOP } from "../words/word-lists.ts";
import { toStems } from "../words/words.ts";
import { findPieces } from "./find-pieces.ts";
import { leavesOf, listLeaves } from "./list-leaves.ts";
import type { Json } from "../../../../store/store.ts";

/** Words that may stand between "the" and "example": what the example is called by. */
const CALLED = String.raw`(?:(?!(?:an?|one|another|more|further|new|no|any|some|of|for|to|with|in|from|and|or|but|should|needs?|lacks?|tool)\s)(?:["'“‘«„][^"'“”‘’«»„\n]{1,60}["'”’»“]|[^\s,;:!?"“”«»]+)\s+){0,3}`;
/** Speaks of an example that there is. */
const PRESENT = new RegExp(
  String.raw`(?:(?<!\p{L})(?:the|its|this|that|your|our|only|first|second|third|last|im|dem|das|beim?|zum|erste[nrs]?|zweite[nrs]?|letzte[nrs]?|(?:d?el|al)|primer|segundo|último|premier|deuxième|dernier)\s+${CALLED}(?:examples?|beispiels?|ejemplo|exemple)|[\p{L}\p{N}_]['’]s\s+(?:\p{L}+\s+)?example|(?<!\p{L})l['’]exemple|(?:的|第.个|这个)(?:示例|例子|样例))`,
  "iu",
);
const ANOTHER =
  /(?<!\p{L})(?:another|one more|further|additional|new|an? (?:\p{L}+ )?example|weitere[ns]?|neue[ns]?|otro|nuevo|autre|nouvel)(?!\p{L})|新|再/iu;
const PLACES: readonly RegExp[] = [
  /(?<!\p{L})(?:first|erste[nrs]?|primer\w*|premier|1)(?!\p{L})|第一/iu,
  /(?<!\p{L})(?:second|zweite[nrs]?|segundo|deuxième|2)(?!\p{L})|第二/iu,
  /(?<!\p{L})(?:third|dritte[nrs]?|tercer\w*|troisième|3)(?!\p{L})|第三/iu,
];
const LAST = /(?<!\p{L})(?:last|letzte[nrs]?|último|dernier)(?!\p{L})|最后/iu;
/** Begins what says which example is meant, behind the word for it. */
const LEADS =
  /^(?:with|for|about|where|on|from|that|which|called|named|described|mit|für|über|con|para|sobre|avec|pour)$/;
/** Words that may say which example is meant, at most. */
const MOST = 6;

/** Tells whether a message speaks of an example that there is. */
export function speaksOfPresent(clause: Clause): boolean {
  return hasNoun(clause, "example") && PRESENT.test(clause.text) && !ANOTHER.test(clause.text);
}

/** The only example of a tool, or the one that is counted, described, or called by something that it alone shows. */
export function findPlace(clause: Clause, tool: Tool): number | undefined {
  const { text } = clause;
  const { examples } = tool;
  if (examples.length === 1) return 0;
  const described = examples.flatMap(({ description = "" }, at) =>
    description !== "" && text.toLowerCase().includes(description.toLowerCase()) ? [at] : [],
  );
  if (described.length === 1) return described[0];
  if (LAST.test(text)) return examples.length - 1;
  const counted = PLACES.flatMap((pattern, at) =>
    new RegExp(
      `(?:${pattern.source})\\s*\\S*\\s*(?:example|beispiel|ejemplo|exemple|示例|例)|(?:example|beispiel|ejemplo|exemple)\\s*#?\\s*(?:${pattern.source})`,
      "iu",
    ).test(text)
      ? [at]
      : [],
  );
  if (counted.length > 0) return counted.length === 1 ? counted[0] : undefined;
  return findShown(clause, tool)?.place;
}

/** The one example of a tool that shows what an example is called by ("the lobster example", "the example with a reward of 7"), and the words for it. */
export function findShown(clause: Clause, tool: Tool): Shown | undefined {
  const nouns = [...clause.nouns].flatMap(([at, kinds]) => (kinds.has("example") ? [at] : []));
  const found = nouns.flatMap((noun) => findCalled(clause, tool, noun) ?? []);
  const [first] = found;
  return found.every(({ place }) => place === first?.place) ? first : undefined;
}

interface Shown {
  /** The place of the example among those of its tool, from 0. */
  readonly place: number;
  readonly words: readonly number[];
}

/** What the words around one word for an example show. */
function findCalled(clause: Clause, { name, title, examples }: Tool, noun: number): Shown | undefined {
  const own = new Set([...toStems(name), ...(title === undefined ? [] : toStems(title))]);
  const { before, behind } = findCallings(clause, noun);
  const said = findPieces(clause).pieces.filter(({ text, tokens }) => {
    const stems = tokens.flatMap((at) => clause.tokens[at]?.stems ?? []);
    const isOwn = stems.length > 0 && stems.every((stem) => own.has(stem));
    const isKey = examples.some(({ input }) => isObject(input) && Object.hasOwn(input, text));
    return !isOwn && (isKey || !STOP.has(text.toLowerCase())) && tokens.some((at) => before.has(at) || behind.has(at));
  });
  const points = examples.map((example) => said.map(({ text }) => pointsOf(text, example)));
  const sums = points.map((all) => all.reduce((sum, one) => sum + one, 0));
  const most = Math.max(0, ...sums);
  const place = sums.indexOf(most);
  if (most === 0 || sums.lastIndexOf(most) !== place) return undefined;
  const isShown = said.map((_, at) => (points[place]?.[at] ?? 0) > 0);
  // What stands before the word for an example is all that it is called by.
  if (said.some(({ tokens }, at) => isShown[at] === false && tokens.some((one) => before.has(one)))) return undefined;
  return { place, words: said.flatMap(({ tokens }, at) => (isShown[at] === true ? tokens : [])) };
}

/** The words right before and behind a word for an example that may say which is meant. */
function findCallings(
  { tokens, actions }: Clause,
  noun: number,
): {
  readonly before: ReadonlySet<number>;
  readonly behind: ReadonlySet<number>;
} {
  const verbs = new Set([...actions.values()].flat());
  const before = new Set<number>();
  const behind = new Set<number>();
  const isEnd = (at: number) =>
    /^[,;:.!?()]$/.test(tokens[at]?.text ?? ".") && tokens[at]?.end !== tokens[at + 1]?.start;
  for (let at = noun - 1; at >= 0 && noun - at <= MOST && !verbs.has(at) && !isEnd(at); at -= 1) {
    const { lower = "", kind } = tokens[at] ?? {};
    if (kind === "word" && STOP.has(lower)) break;
    before.add(at);
  }
  if (!LEADS.test(tokens[noun + 1]?.lower ?? "")) return { before, behind };
  for (let at = noun + 2; at < tokens.length && at - noun <= MOST + 1 && !verbs.has(at); at += 1) {
    if (isEnd(at) && tokens[at]?.text !== ":") break;
    behind.add(at);
  }
  return { before, behind };
}

/** How surely an example shows a text: 3 as a value of its own, 2 in its description or what is given, 1 elsewhere. */
function pointsOf(text: string, example: Example): number {
  const own = text.toLowerCase();
  const shown = listLeaves(example);
  if (shown.some(({ value }) => String(value).toLowerCase() === own)) return 3;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(text)}(?:s|es)?(?![\\p{L}\\p{N}_])`, "iu");
  if (shown.some(({ at, value }) => at[0] !== "output" && pattern.test(String(value)))) return 2;
  const expected = example.matches === undefined ? [] : leavesOf(example.matches as Json, ["matches"]);
  const isKey = isObject(example.input) && Object.hasOwn(example.input, text);
  const isElsewhere = [...shown, ...expected].some(({ value }) => pattern.test(String(value)));
  return isKey || isElsewhere || example.error === text ? 1 : 0;
}
