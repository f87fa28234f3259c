import { find, VERB_PHRASES } from "./phrase-index.ts";
import type { Amount } from "./values.ts";
import type { Action } from "./word-lists.ts";
import type { Token } from "./words.ts";

/** Finds the verbs of a clause by what they ask for, each with its places. */
export function findActions(
  tokens: readonly Token[],
  amounts: readonly Amount[] = [],
): ReadonlyMap<Action, readonly number[]> {
  const actions = new Map<Action, number[]>();
  const put = (action: Action, places: readonly number[]) =>
    actions.set(action, [...(actions.get(action) ?? []), ...places]);
  for (const [action, all] of find(tokens, VERB_PHRASES)) {
    const found = all.filter((places) => !isWay(tokens, places) && !isSetting(tokens, places));
    if (found.length > 0) put(action, found.filter((places) => !isAnswer(tokens, places)).flat());
  }
  const at = (...lowers: string[]) => tokens.findIndex(({ lower, kind }) => kind === "word" && lowers.includes(lower));
  // Verbs whose second half stands behind their object: "turn validation on", "take it out of".
  for (const [place, { text }] of tokens.entries()) {
    if (tokens[place + 1]?.text !== "=") continue;
    if (text === "+") put("add", [place]);
    if (text === "-") put("remove", [place]);
  }
  const turn = at("turn", "switch", "turned", "switched", "turning");
  if (turn >= 0 && at("on") > turn) put("enable", [turn, at("on")]);
  if (turn >= 0 && at("off") > turn) put("disable", [turn, at("off")]);
  const take = at("take", "taken", "kick", "throw");
  const isAway = ({ lower }: Token, place: number) => place > take && (lower === "from" || lower === "off");
  if (take >= 0 && tokens.some(isAway)) put("revoke", [take]);
  if (take >= 0 && Math.max(at("out"), at("away"), at("off")) > take) put("remove", [take]);
  return amounts.some(({ role, goes }) => role === "factor" || goes === "down") ? withCuts(tokens, actions) : actions;
}

/** Actions of which what cuts or takes a number off another one lowers that: "cut 10 seconds off it", "cut it in half". */
function withCuts(
  tokens: readonly Token[],
  actions: ReadonlyMap<Action, readonly number[]>,
): ReadonlyMap<Action, readonly number[]> {
  const isCut = (at: number) => /^(?:cut|cutting|take|taking|off|trim|knock|shave)$/.test(tokens[at]?.lower ?? "");
  const cuts = ["remove", "revoke"].flatMap((action) => (actions.get(action as Action) ?? []).filter(isCut));
  if (cuts.length === 0) return actions;
  const kept = [...actions].flatMap(([action, places]) => {
    const own = action === "remove" || action === "revoke" ? places.filter((at) => !isCut(at)) : places;
    return own.length === 0 ? [] : [[action, own] as const];
  });
  const cut = new Map(kept);
  return cut.set("lower", [...new Set([...(cut.get("lower") ?? []), ...cuts])]);
}

/** "It can go to 2.3.0" takes nothing away; "it can go" does. */
function isWay(tokens: readonly Token[], places: readonly number[]): boolean {
  const last = places.at(-1) ?? 0;
  const isGoing = places.length === 2 && tokens[last]?.lower === "go";
  return isGoing && /^(?:to|back|up|down|over|ahead|forward)$/.test(tokens[last + 1]?.lower ?? "");
}

/** "The cap", "the lower bound" and "the stop rule" are settings, whatever becomes of them. */
function isSetting(tokens: readonly Token[], [at = 0, ...others]: readonly number[]): boolean {
  const [before, own, next] = [at - 1, at, at + 1].map((place) => tokens[place]?.lower ?? "");
  if (others.length > 0) return false;
  if (own === "cap") return /^(?:the|its|our|their|this|that|a|upper)$/.test(before ?? "");
  if (own === "stop") return /^(?:rules?|conditions?|criterion|criteria|settings?)$/.test(next ?? "");
  return own === "lower" && /^(?:bound|limit|end|edge|cap)$/.test(next ?? "");
}

/** "It should return 20 passages" undoes nothing; "return it to 20" does. */
function isAnswer(tokens: readonly Token[], [at = 0, ...others]: readonly number[]): boolean {
  const isReturn = others.length === 0 && /^returns?$/.test(tokens[at]?.lower ?? "");
  return isReturn && !tokens.slice(at + 1, at + 4).some(({ lower }) => lower === "to");
}
