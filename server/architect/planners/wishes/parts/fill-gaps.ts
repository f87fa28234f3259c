import { type Clause, readClause } from "../clause.ts";
import { isNameOf } from "../drafts/draft.ts";
import { isHost } from "../drafts/host-drafts.ts";
import { exactName } from "../guess/relevance.ts";
import type { Places } from "../places/places.ts";
import { VERSION_NUMBER } from "../words/words.ts";

/** A name in a part of a sentence and the value beside it, each with where it stands and what it is. */
interface Pair {
  readonly name: Span;
  readonly value: Span;
}

interface Span {
  readonly kind: string;
  readonly text: string;
  /** The value itself, where words may say it: 3 for "three". */
  readonly said: string;
  readonly start: number;
  readonly end: number;
}

/** Words between the name and the value of a part that leaves out its verb: "and of move_job to 3". */
const LINK =
  /^(?:to|at|on|by|of|for|in|as|also|please|pls|auf|zu|bei|von|für|a|de|del|en|para|por|à|du|pour|the|that|=|:|,)$/i;
/** "Highway as kind", behind "accept swale as council". */
const AS = /^(?<fresh>[^\s,]+(?:,? (?:and|or|und|y|et) [^\s,]+)?) (?:as|als|como|comme) \S.*$/iu;
const BEFORE_AS = /\S+ (?:as|als|como|comme) /iu;

/** "Take it off check_permit", behind "allow api.example.com for apply_permit". */
const TAKEN = /^(?:take|remove|drop|strike|withdraw) (?:it|that) (?:off|from|out of|away from) (?<rest>.+)$/iu;

/**
 * Gives the parts of a sentence that leave out what the first of them says the whole of it: "make survey_tree cost 2 units" and
 * "estimate_job 3" say that estimate_job is to cost 3 units.
 */
export function fillGaps(pieces: readonly string[], places: Places): readonly string[] {
  const [first = ""] = pieces;
  return pieces.map((piece, at) => (at === 0 ? piece : (fillGap(first, piece, places) ?? piece)));
}

/** The names and values of parts that leave out their verb, with those of the first; none where no part does. */
export function findPairs(
  pieces: readonly string[],
  places: Places,
): readonly (readonly [name: string, value: string])[] {
  const [first, ...others] = pieces;
  const own = first === undefined ? undefined : findPair(readClause(first, places), places);
  if (own === undefined) return [];
  const gapped = others.flatMap((piece) => findGapped(piece, own, places) ?? []);
  return gapped.length === 0 ? [] : [own, ...gapped].map(({ name, value }) => [name.said, value.said]);
}

function fillGap(first: string, piece: string, places: Places): string | undefined {
  const before = AS.test(piece) ? BEFORE_AS.exec(first) : null;
  if (before !== null) return `${first.slice(0, before.index)}${piece}`;
  const clause = readClause(first, places);
  const [host, ...hosts] = clause.tokens.filter(({ text }) => isHost(text));
  const rest = TAKEN.exec(piece)?.groups?.["rest"];
  if (host !== undefined && hosts.length === 0 && rest !== undefined) return `remove ${host.text} from ${rest}`;
  const own = findPair(clause, places);
  const gapped = own === undefined ? undefined : findGapped(piece, own, places);
  if (own === undefined || gapped === undefined) return undefined;
  const spans = [
    { from: own.name, to: gapped.name },
    { from: own.value, to: gapped.value },
  ].sort((one, other) => other.from.start - one.from.start);
  return spans.reduce((text, { from, to }) => `${text.slice(0, from.start)}${to.text}${text.slice(from.end)}`, first);
}

/** The name and the value of a part that says nothing else, as another part has them of the same kinds. */
function findGapped(piece: string, own: Pair, places: Places): Pair | undefined {
  const clause = readClause(piece, places);
  const pair = findPair(clause, places);
  if (pair === undefined || pair.name.kind !== own.name.kind || pair.value.kind !== own.value.kind) return undefined;
  const isSaid = (start: number) => [pair.name, pair.value].some((span) => start >= span.start && start < span.end);
  const isBare = clause.tokens.every(
    ({ start, lower, kind, text }) => isSaid(start) || LINK.test(lower) || (kind === "sign" && /^[.,!?]$/.test(text)),
  );
  return isBare ? pair : undefined;
}

/** The one name and the one value that a part has. */
function findPair(clause: Clause, places: Places): Pair | undefined {
  const [name, ...names] = findNames(clause, places);
  const [value, ...values] = findValues(clause).filter(({ start }) => start !== name?.start);
  return name === undefined || value === undefined || names.length > 0 || values.length > 0
    ? undefined
    : { name, value };
}

/** The names in a part that are written as in manifests: of tools, or else of what has a value, or of labels. */
function findNames({ tokens, keys }: Clause, { version, things }: Places): readonly Span[] {
  const valued = new Set(
    things.flatMap((thing) => (thing.kind === "field" || thing.kind === "parameter" ? [exactName(thing)] : [])),
  );
  const said = new Set([...keys.values()].flat(2));
  const all = tokens.flatMap(({ kind, lower, text, start, end }, at): readonly Span[] => {
    if (kind === "sign" || kind === "number") return [];
    const isTool = [...version.tools.values()].some((tool) => isNameOf(tool, lower));
    const isValued = !said.has(at) && [...valued].some((name) => name === lower || name.endsWith(`.${lower}`));
    const found = isTool ? "tool" : version.history.labels.has(lower) ? "label" : isValued ? "valued" : undefined;
    return found === undefined ? [] : [{ kind: found, text, said: lower, start, end }];
  });
  const tools = all.filter(({ kind }) => kind === "tool");
  return tools.length > 0 ? tools : all;
}

function findValues({ text: all, tokens, amounts }: Clause): readonly Span[] {
  const written = tokens.flatMap(({ kind, text, start, end }): readonly Span[] =>
    kind === "quoted"
      ? [{ kind, text: all.slice(start, end), said: text, start, end }]
      : VERSION_NUMBER.test(text)
        ? [{ kind: "version", text, said: text, start, end }]
        : [],
  );
  if (written.length > 0) return written;
  // "Double" is no value that another one stands for.
  const given = amounts.filter(({ role }) => role !== "factor");
  return given.flatMap(({ value, unit, tokens: own }): readonly Span[] => {
    const [first, last] = [tokens[own[0] ?? -1], tokens[own.at(-1) ?? -1]];
    if (first === undefined || last === undefined) return [];
    const said = String(value);
    return [
      {
        kind: unit === undefined ? "number" : "amount",
        text: `${said}${unit === undefined ? "" : ` ${unit}`}`,
        said,
        start: first.start,
        end: last.end,
      },
    ];
  });
}
