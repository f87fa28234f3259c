import type { Clause } from "../clause.ts";
import { hasNoun, isNameOf } from "../drafts/draft.ts";
import { exactName } from "../guess/relevance.ts";
import { thingOf } from "../namesakes.ts";
import type { Places, Thing } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";
import type { Token } from "../words/words.ts";

/** Changes that take a thing away, announce that or give it another name. */
const OF_ALL = /^(?:(?:remove|deprecate|retire) (?:.* )?(?<id>\S+)|rename (?<old>\S+) \S+)$/;
const JOINING = /^(?:,|and|or|nor|und|oder|y|et|ou|&|和|或)$/;
const SUCCESSOR =
  /\b(?:successors?|replac\w+|instead|in favou?r)\b|Nachfolg|ersetzt|sucesor|reemplaz|remplac|successeur|替代|取代/iu;
const MADE = /^(?:make|mark)$/;
const DEMANDED = /^(?:required|optional|mandatory|obligatory|deprecated)$/;
const BETWEEN = /^(?:from|of|in|for|at|the|von|aus|de|du|dans|en)$/;

/**
 * Tells whether a change of that name takes away or renames what a clause does not name as its manifest does, or what is called as something
 * of another kind is: "remove locker" where a tool is titled "Jammed locker", "remove the driver" where that is a role.
 */
export function isLooselyNamed(clause: Clause, name: string, places: Places): boolean {
  const { id, old = id } = OF_ALL.exec(name)?.groups ?? {};
  const thing = old === undefined ? undefined : places.things.find((one) => one.id === old);
  if (thing === undefined) return false;
  if (thing.kind === "tool") return !isToolNamed(clause, thing);
  if (thing.kind !== "field" && thing.kind !== "parameter") return false;
  const { tool } = thing;
  const isPlaced = tool !== undefined && clause.tokens.some(({ lower }) => isNameOf(tool, lower));
  if (isPlaced || hasNoun(clause, "field", "input", "argument", "parameter")) return false;
  const own = new Set(thing.names.flat());
  const others = toOthers(places);
  return clause.tokens.some(
    ({ lower, stems, kind }) => kind !== "sign" && stems.some((stem) => own.has(stem)) && others.has(lower),
  );
}

/** Tells whether a clause has the name of a tool, or all words of its name or title. */
function isToolNamed({ tokens, text }: Clause, { tool, names }: Thing): boolean {
  if (tool === undefined || tokens.some(({ lower }) => isNameOf(tool, lower))) return true;
  const said = new Set(tokens.flatMap(({ stems }) => stems));
  const last = tool.name.slice(tool.name.lastIndexOf(".") + 1);
  return (
    text.toLowerCase().includes(last.toLowerCase()) ||
    names.some((one) => one.length > 1 && one.every((stem) => said.has(stem)))
  );
}

const known = new WeakMap<Places, ReadonlySet<string>>();

/** The names of roles and labels, and the values of fields, in lower case; made once per version. */
function toOthers(places: Places): ReadonlySet<string> {
  const { things, version } = places;
  const others =
    known.get(places) ??
    new Set(
      [
        ...things.flatMap(({ kind, role, values }) => [
          ...(kind === "role" && role !== undefined ? [role] : []),
          ...values,
        ]),
        ...version.history.labels.keys(),
      ].map((one) => String(one).toLowerCase()),
    );
  known.set(places, others);
  return others;
}

/** Tells whether a clause joins another field, tool or role to what changes of these names are of, which none of them is of: "make when and units required". */
export function leavesTwin({ tokens, text }: Clause, names: readonly string[], places: Places): boolean {
  if (!tokens.some(({ lower }) => JOINING.test(lower) || MADE.test(lower))) return false;
  const things = names.flatMap((name) => thingOf(name, places) ?? []);
  const [first] = things;
  if (first === undefined || things.length < names.length || first.field?.side === "output") return false;
  // A successor stays.
  if (/^(?:deprecate|retire) /.test(names[0] ?? "") && SUCCESSOR.test(text)) return false;
  const done = new Set(
    things.flatMap((thing) => [exactName(thing), ...(thing.tool === undefined ? [] : callsOf(thing.tool))]),
  );
  const isOwn = ({ lower }: Token) => done.has(lower);
  const twins = toTwins(first, places);
  return tokens.some((token, at) => {
    if (token.kind !== "word" || isOwn(token) || !twins.has(token.lower)) return false;
    const isBehind = isJoined(tokens, at) && tokens.slice(0, at).some(isOwn);
    // A small word is a name only beside another one.
    const isBefore = JOINING.test(tokens[at + 1]?.lower ?? "") && isOwn(tokens[at + 2] ?? token);
    const isMade = MADE.test(tokens[at - 1]?.lower ?? "") && DEMANDED.test(tokens[at + 1]?.lower ?? "");
    return isBefore || isMade || (isBehind && (!STOP.has(token.lower) || isOwn(tokens[at - 2] ?? token)));
  });
}

/** Tells whether a word stands behind one that joins it to another, be it with small words between: "and from book_crossing". */
function isJoined(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (BETWEEN.test(tokens[before]?.lower ?? "")) before -= 1;
  return JOINING.test(tokens[before]?.lower ?? "");
}

/** The names of the other fields of a tool, and those of other tools, in lower case. */
function toTwins({ tool, kind }: Thing, { things, version }: Places): ReadonlySet<string> {
  if (tool === undefined) return new Set();
  const fields = things.filter((one) => one.field?.side === "input" && one.tool === tool).map(exactName);
  const tools = [...version.tools.values()].filter((one) => one !== tool).flatMap(callsOf);
  return new Set(kind === "tool" ? tools : [...fields, ...tools]);
}

function callsOf({ name }: { readonly name: string }): readonly string[] {
  const lower = name.toLowerCase();
  return [lower, lower.slice(lower.lastIndexOf(".") + 1)];
}
