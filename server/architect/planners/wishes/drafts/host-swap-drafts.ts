import { showValue } from "../../../show-value.ts";
import type { Policy } from "../../../../versions/policy.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { placesOfMatch, toStems } from "../words/words.ts";
import { type Draft, explainNouns } from "./draft.ts";
import { isHost, wordsOfList } from "./host-drafts.ts";

const SWAP = /\b(?:replac\w+|swap\w*|substitut\w+|instead of|in place of|rather than)\b/iu;
const OF_HOSTS = /\b(?:the|those|these|all|our) (?:[\w.-]+ ){0,4}hosts\b/iu;
const TALK =
  /^(?:single|separate|individual|listed?|under|three|two|four|five|both|all|entries|entry|access|policy|egress)$/;
/** Sayings of hosts for every version, older ones too. */
const EVERY = /\b(?:all|every|each|any) (?:(?:the|our|of|older?|past|served|released) )*versions?\b|\beverywhere\b/iu;
const BLOCK = /\b(?:revok\w+|block\w*|ban|bans|banned)\b/iu;
const BLOCKING = /^(?:list|versions?|policy|all|every|each|any|older?|past|stop|using|use|today|everywhere)$/;

/** Hosts of a clause, with the words that name them. */
function hostsOf({ tokens }: Clause, { identifiers }: Places) {
  return tokens.flatMap(({ text, lower }, at) =>
    isHost(text) && !identifiers.has(lower) ? [{ host: lower, at }] : [],
  );
}

/** Drafts that put one host into the place of others on the list of a policy: "list *.x.example instead of the three hosts". */
export function draftHostSwap(clause: Clause, places: Places): readonly Draft[] {
  const [policy, ...others] = places.version.policies.filter(({ egress }) => egress.length > 0);
  if (policy === undefined || others.length > 0 || !SWAP.test(clause.text)) return [];
  const hosts = hostsOf(clause, places);
  const [fresh, ...more] = hosts.filter(({ host }) => !policy.egress.includes(host));
  const listed = hosts.filter(({ host }) => policy.egress.includes(host));
  if (fresh === undefined || more.length > 0) return [];
  const isFamily = fresh.host.startsWith("*.") && listed.length === 0 && OF_HOSTS.test(clause.text);
  const gone = isFamily
    ? policy.egress.filter((host) => host.endsWith(fresh.host.slice(1)))
    : listed.map(({ host }) => host);
  const counts = clause.amounts.map(({ value }) => value);
  if (gone.length === 0 || counts.some((count) => count !== gone.length)) return [];
  const stems = new Set(toStems(fresh.host));
  return [
    {
      name: `hosts ${policy.file} ${gone.join()} > ${fresh.host}`,
      label: "the hosts that tools may reach",
      thing: undefined,
      isNamed: true,
      explained: new Set([
        ...hosts.map(({ at }) => at),
        ...clause.amounts.flatMap(({ tokens }) => tokens),
        ...explainNouns(clause, "host"),
        ...wordsOfList(clause),
        ...placesOfMatch(clause.tokens, clause.text, SWAP),
        ...clause.tokens.flatMap(({ lower, stems: own }, at) =>
          TALK.test(lower) || (own.length > 0 && own.every((stem) => stems.has(stem))) ? [at] : [],
        ),
        ...(["add", "set", "replace"] as const).flatMap((action) => clause.actions.get(action) ?? []),
      ]),
      soft: new Set(),
      doubt: 0,
      deed: async (bench) => {
        for (const host of gone) await bench.removeItem(policy.file, ["egress"], host);
        await bench.addItem(policy.file, ["egress"], fresh.host);
        bench.say(`Tools may reach ${showValue(fresh.host)} in place of ${gone.map(showValue).join(", ")}.`);
        bench.need("patch");
      },
    },
  ];
}

/** Drafts that keep every version from a host, whatever its own policies say: "revoke old.example in all versions". */
export function draftHostBlock(clause: Clause, places: Places): readonly Draft[] {
  const hosts = hostsOf(clause, places);
  const policy = findBlocking(places.version.policies);
  if (hosts.length === 0 || policy === undefined || !speaksOfAll(clause)) return [];
  const names = hosts.map(({ host }) => host);
  return [
    {
      name: `block ${names.join()}`,
      label: "the hosts that are revoked",
      thing: undefined,
      isNamed: true,
      explained: new Set([
        ...hosts.map(({ at }) => at),
        ...explainNouns(clause, "host"),
        ...placesOfMatch(clause.tokens, clause.text, EVERY),
        ...clause.tokens.flatMap(({ lower }, at) => (BLOCKING.test(lower) ? [at] : [])),
        ...(["revoke", "remove", "stop"] as const).flatMap((action) => clause.actions.get(action) ?? []),
      ]),
      soft: new Set(),
      doubt: clause.negators.length > 0 ? 1 : 0,
      deed: async (bench) => {
        for (const host of names)
          if (await bench.addItem(policy.file, ["revoke", "hosts"], host))
            bench.say(`No version reaches ${showValue(host)} any more.`);
        bench.need("patch");
      },
    },
  ];
}

/** Tells whether a clause revokes something for every version, and not only in the one that it is sent to. */
function speaksOfAll({ text }: Clause): boolean {
  return BLOCK.test(text) && EVERY.test(text);
}

/** The policy that revokes something already, or lists hosts, or else the only one. */
function findBlocking(policies: readonly Policy[]): Policy | undefined {
  const only = (some: readonly Policy[]) => (some.length === 1 ? some[0] : undefined);
  return (
    only(policies.filter(({ revoke }) => revoke !== undefined)) ??
    only(policies.filter(({ egress }) => egress.length > 0)) ??
    only(policies)
  );
}

/** Makes a check of names of changes of hosts that are only a half of what a clause says becomes of them. */
export function toHalved(clause: Clause, places: Places): (name: string) => boolean {
  const isWhole =
    draftHostSwap(clause, places).length > 0 || (hostsOf(clause, places).length > 0 && speaksOfAll(clause));
  return (name) => isWhole && / ?\S+#egress [+-] /.test(name);
}
