import { type Clause, plainNegators } from "../../clause.ts";
import { draftHosts, isHost, wordsOfList } from "../../drafts/host-drafts.ts";
import type { Place, Thing } from "../../places/places.ts";
import type { Action } from "../../words/word-lists.ts";
import type { Guess } from "../guess-value.ts";
import { isContrary } from "./guess-rights.ts";
import type { Aim } from "./near-tools.ts";

/** Hosts that a message names: one that is listed may have to go, and another one to come, whatever verbs stand beside it. */
export function guessHosts({ clause: said, places, near, mood }: Aim): readonly Guess[] {
  // `runner.chat` looks like a host.
  const tokens = said.tokens.map((token) => (places.identifiers.has(token.lower) ? { ...token, text: "" } : token));
  const hosts = tokens.flatMap(({ text }) => (isHost(text) ? [text.toLowerCase()] : []));
  if (hosts.length === 0) return [];
  const suppose = (...actions: readonly Action[]): Clause => ({
    ...said,
    tokens,
    negators: [],
    actions: new Map(actions.map((action) => [action, said.actions.get(action) ?? []])),
  });
  const plain = plainNegators(said);
  // "Hosts that we allow" allows nothing.
  const listing = new Set(wordsOfList(said));
  const verbs = [...said.actions].flatMap(([action, words]) => {
    const own = words.filter((at) => !listing.has(at));
    return own.length > 0 ? [[action, own] as const] : [];
  });
  const spoken: Clause = { ...said, actions: new Map(verbs) };
  return listPlaces(places.placesOf).flatMap(({ thing, place }) => {
    const { name = 0, rare = 0, isExact = false, words = new Set<number>() } = near.get(thing) ?? {};
    const isListed = hosts.every((host) => Array.isArray(place.now) && place.now.includes(host));
    const supposed = [
      ...(isListed ? [suppose("remove", "revoke")] : []),
      // What is listed already may have been asked for all the same.
      ...(isListed && mood.isGone ? [] : [suppose("add", "grant")]),
    ];
    const match = { thing, own: name, explained: words, soft: new Set<number>() };
    return supposed.flatMap((clause) =>
      draftHosts(clause, match, place, places).flatMap(({ deed, doubt, name: own, explained }): readonly Guess[] =>
        deed === undefined
          ? []
          : [
              {
                name: own,
                deed,
                signs: {
                  elsewhere: 1,
                  close: Math.max(0, 1.5 - doubt),
                  ...(thing.kind === "tool" ? { name, rare: Math.min(2, rare) } : { marked: 1 }),
                  ...([...clause.actions.values()].flat().length > 0 ? { verb: 1 } : { noVerb: 1 }),
                  ...(isContrary(spoken, clause.actions.has("remove")) ? { against: 1 } : {}),
                  // A host that nothing is to reach any more may have to leave the policy, too.
                  ...(thing.kind === "tool" && clause.actions.has("remove") && !isExact ? { unsure: 1 } : {}),
                },
                words: [...explained, ...plain],
              },
            ],
      ),
    );
  });
}

function listPlaces(placesOf: ReadonlyMap<Thing, readonly Place[]>) {
  return [...placesOf].flatMap(([thing, all]) =>
    all.flatMap((place) => (place.accepts.kind === "list" && place.accepts.of === "host" ? [{ thing, place }] : [])),
  );
}
