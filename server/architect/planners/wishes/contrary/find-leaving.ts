import type { Clause } from "../clause.ts";
import { isNameOf } from "../drafts/draft.ts";
import { exactName } from "../guess/relevance.ts";
import type { Thing } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";

/** Words between what is to go and what it is to leave. */
const FROM = /^(?:from|off|aus|von|vom|de|del|du|des)$/;
const TAKING = /^(?:take|strip|strike|nimm|nehmt|saca|enlève)$/;
/** Words of what is to go, at most: "the old tractor". */
const MOST = 3;

/** Words within the name of what something is to leave: "the values of signature in the reply". */
const BETWEEN = /^(?:of|in|the|its|our|an?|der|des|von|del?|la|el|los|las|du|les)$/;
/** Words and signs behind a name, be it one that else says nothing: "from kind of list_artifacts". */
const ENDS = /^(?:of|in|\P{L}*)$/u;

/** Words that are no articles: "see" is a lake in German. */
const OTHER =
  /^(?!(?:the|an?|this|that|these|those|its|our|de[rnms]|das|die|eine?n?|el|la|los|las|un|una|le|les|une|out|away|off)$)\p{L}/u;

/** What is to leave something, by the places of its words, and what that is. */
export interface Leaving {
  readonly gone: readonly number[];
  readonly from: readonly number[];
}

/** Finds what a clause wants to be taken from what: "remove lake from water_source". */
export function findLeaving({ tokens, actions, nouns, keys }: Clause): Leaving | undefined {
  const taken = tokens.flatMap(({ lower }, at) => (TAKING.test(lower) ? [at] : []));
  const verbs = [...(actions.get("remove") ?? []), ...taken];
  const said = new Set([...nouns.keys(), ...(keys.get("values") ?? []).flat()]);
  const isContent = (at: number) => {
    const token = tokens[at];
    return token !== undefined && token.kind !== "sign" && !STOP.has(token.lower) && !said.has(at);
  };
  for (const [at, { lower }] of tokens.entries()) {
    const isOut = lower === "of" && tokens[at - 1]?.lower === "out";
    const verb = verbs.findLast((one) => one < at);
    if ((!FROM.test(lower) && !isOut) || verb === undefined) continue;
    const between = tokens.slice(verb + 1, at).map((_, offset) => verb + 1 + offset);
    const named = between.filter((one) => isContent(one) && !verbs.includes(one));
    // "Remove it from kind": what stands there is something else, too.
    const gone =
      named.length > 0 ? named : between.filter((one) => !said.has(one) && OTHER.test(tokens[one]?.lower ?? ""));
    if (gone.length === 0 || gone.length > MOST) continue;
    const from: number[] = [];
    for (let next = at + 1; next < tokens.length; next += 1) {
      // "From the values of kind", where `kind` is a name.
      if (isContent(next) || said.has(next) || (next === at + 1 && ENDS.test(tokens[next + 1]?.lower ?? "")))
        from.push(next);
      else if (!BETWEEN.test(tokens[next]?.lower ?? "")) break;
    }
    if (from.length > 0) return { gone, from };
  }
  return undefined;
}

/** Kinds of things that something may be taken from. */
const LEFT: ReadonlySet<Thing["kind"]> = new Set(["field", "parameter", "tool", "set"]);

/** Tells whether a clause takes something else from a thing, which is not to go itself. */
export function isOnlyLeft(clause: Clause, thing: Thing): boolean {
  const leaving = LEFT.has(thing.kind) ? findLeaving(clause) : undefined;
  if (leaving === undefined) return false;
  const names = new Set(thing.names.flat());
  const isOwn = (at: number) => {
    const { lower = "", stems = [] } = clause.tokens[at] ?? {};
    const isWhole =
      lower === exactName(thing) || (thing.kind === "tool" && thing.tool !== undefined && isNameOf(thing.tool, lower));
    return isWhole || (stems.length > 0 && stems.every((stem) => names.has(stem)));
  };
  return leaving.from.some(isOwn) && !leaving.gone.some(isOwn);
}
