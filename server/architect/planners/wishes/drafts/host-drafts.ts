import { showValue } from "../../../show-value.ts";
import type { Bench } from "../../directives/bench.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, explainKey, explainNouns, isIdentifierOf, type Match } from "./draft.ts";
import type { Place, Places } from "../places/places.ts";
import { PLAIN } from "../words/phrase-index.ts";
import { placesOfMatch, toStem } from "../words/words.ts";

const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d{1,5})?$/i;

/** Tells whether a word is a host: no path of keys, and no name of a file. */
export function isHost(text: string): boolean {
  const last = /\.([a-z]+)(?::\d+)?$/i.exec(text)?.[1] ?? "";
  const isLong = /\..*\./.test(text);
  return (
    HOST.test(text) && !/^(?:ya?ml|ts|md|json)$/.test(last) && (isLong || last.length < 4 || !PLAIN.has(toStem(last)))
  );
}

/** Has the policy allow a host that a tool is to reach, where one policy lists hosts and that is not among them. */
async function allow(bench: Bench, host: string): Promise<void> {
  const [policy, ...others] = bench.ground.version.policies.filter(({ egress }) => egress.length > 0);
  if (policy === undefined || others.length > 0 || policy.egress.some((own) => coversHost(own, host))) return;
  await bench.addItem(policy.file, ["egress"], host);
  bench.say(`Tools may name ${showValue(host)}.`);
}

function coversHost(own: string, host: string): boolean {
  return own === host || (own.startsWith("*.") && host.endsWith(own.slice(1)));
}

/** Sayings of the list of hosts that policies have. */
const LISTED =
  /\b(?:egress|allow|white)[- ]?list(?:ed)?\b|\begress\b|\blist of (?:\w+ )?hosts\b|\b(?:allowed|permitted|approved) hosts\b|\bhosts (?:(?:that|which) )?(?:tools|we|the policy|are) (?:may |can )?(?:allows?|allowed|permits?|reach|call)\b|\b(?:access|egress) policy\b|\berlaubten? hosts?\b|\bhosts? (?:permitidos?|autorisés?)\b|允许的?(?:主机|域名)/iu;
/** Words of such sayings. */
const LISTING =
  /^(?:list|lists|listed|hosts?|tools?|reach|allow\w*|permit\w*|approved|policy|access|come|comes|off|call|calls)$/;
/** Sayings that a host is off the list, behind or beside which words for the list stand. */
const OFF =
  /\b(?:come|comes|drop|drops|go|goes|leaves?|take|taken|strike|struck|removed?)\b[^.;,]{0,12}\b(?:from|off)\b|\b(?:may|can|should|must) leave\b/iu;
const NOT_AMONG =
  /\b(?:should|must|need|ought)(?:n['’]t| not| no longer)\b(?![^.;,]*\bonly\b)[^.;,]{0,20}\b(?:among|on|in|part of)\b/iu;
/** "No tool talks to it", "the policy doesn't list it yet" */
const UNUSED =
  /\b(?:no tools?|nothing|nobody|no one|none of (?:our|the) tools)\b(?! (?:but|except|else)\b)(?:[^.;,]|\.(?=\w))*/iu;
const UNLISTED =
  /\b(?:the |our )?polic(?:y|ies)\b[^.;,]{0,12}\b(?:does|do)(?:n['’]t| not) (?:yet )?(?:list|allow|have|know|name)\b(?:[^.;,]|\.(?=\w))*/iu;
const MODAL = /^(?:may|can|let|lets|able)$/;
/** Doubt about a host that is said to be on the list, and about any other. */
const SAID = 0.15;
const UNSAID = 0.9;

/** Hosts that tools may reach: of a policy, or of a tool where that is named. */
export function draftHosts(clause: Clause, match: Match, place: Place, { version }: Places): readonly Draft[] {
  const hosts = clause.tokens.flatMap(({ text }, at) => (isHost(text) ? [{ host: text.toLowerCase(), at }] : []));
  const names = [...new Set(hosts.map(({ host }) => host))];
  const isTool = place.thing.kind === "tool";
  const isOfTool = clause.tokens.some(({ lower }) =>
    [...version.tools.values()].some((tool) => isIdentifierOf(tool, lower)),
  );
  const isSaid = LISTED.test(clause.text);
  // Of the list of the policy, what only comes near to the words for it says nothing.
  if (
    isTool &&
    isSaid &&
    !isOfTool &&
    !namesElse(
      clause,
      match,
      hosts.map(({ at }) => at),
    )
  )
    return [];
  const isListed = !isTool && !isOfTool && names.length === 1 && isSaid;
  const { add, remove } = findVerbs(clause, isListed);
  if (remove !== undefined && OF_ALL_VERSIONS.test(clause.text)) return [];
  if (hosts.length === 0 || (add === undefined) === (remove === undefined) || (isTool && match.own === 0)) return [];
  const words = [...(add ?? remove ?? []), ...(explainKey(clause, "egress") ?? []), ...hosts.map(({ at }) => at)];
  const deed: Deed = async (bench) => {
    for (const host of names) {
      if (isTool && add !== undefined) await allow(bench, host);
      const isChanged =
        add === undefined
          ? await bench.removeItem(place.file, place.at, host)
          : await bench.addItem(place.file, place.at, host);
      if (isChanged)
        bench.say(
          `${isTool ? `\`${place.thing.tool?.name}\`` : "Tools"} ${add === undefined ? "can no longer" : "may"} reach ${showValue(host)}.`,
        );
    }
    bench.need("patch");
  };
  const nouns = explainNouns(clause, "host");
  const talk = isListed
    ? [
        ...clause.tokens.flatMap(({ lower }, at) => (LISTING.test(lower) ? [at] : [])),
        ...(clause.actions.get("set") ?? []),
        ...clause.tokens.flatMap(({ lower }, at) => (lower === place.file.replace(/^.*\//, "") ? [at] : [])),
      ]
    : [];
  // Why it may go, or has to come, is a reason.
  const reason = remove === undefined ? (isTool ? UNLISTED : undefined) : UNUSED;
  const told = reason === undefined ? [] : placesOfMatch(clause.tokens, clause.text, reason);
  return [
    {
      name: `${place.file}#${place.at.join("/")} ${add === undefined ? "-" : "+"} ${names.join()}`,
      label: `the hosts of ${place.thing.label}`,
      thing: place.thing,
      explained: new Set([...words, ...nouns, ...talk, ...told, ...match.explained]),
      soft: match.soft,
      // A host is named by a tool and by a policy: whether both are meant is asked, where the list of the policy is not named.
      doubt: isTool ? 0.8 : isListed ? SAID : UNSAID,
      deed,
    },
  ];
}

/** A host that is revoked for each version is on another list than those that this version may reach. */
const OF_ALL_VERSIONS = /\brevok\w*\b.*\bversions?\b|\bversions?\b.*\brevok\w*\b/isu;

/** The verbs that have a host come or go, besides those of the words for the list: "take it off the hosts we allow". */
function findVerbs(
  clause: Clause,
  isListed: boolean,
): { readonly add: readonly number[] | undefined; readonly remove: readonly number[] | undefined } {
  const { tokens, text, negators } = clause;
  const listing = new Set(wordsOfList(clause));
  const without = (words: readonly number[] | undefined, others: ReadonlySet<number>) => {
    const rest = words?.filter((at) => !others.has(at));
    return words?.length === 0 || (rest?.length ?? 0) > 0 ? rest : undefined;
  };
  const isOff = isListed && (OFF.test(text) || NOT_AMONG.test(text));
  const gone = without(explainActions(clause, ["remove", "revoke", "disable", "stop"]), listing);
  const remove = gone ?? (isOff ? [...placesOfMatch(tokens, text, OFF), ...negators] : undefined);
  const come = without(explainActions(clause, ["add", "grant", "enable"]), listing.union(new Set(remove)));
  const modal = new Set(tokens.flatMap(({ lower }, at) => (MODAL.test(lower) ? [at] : [])));
  const add = remove === undefined ? come : without(come, modal);
  return { add: add ?? (isListed && remove === undefined ? explainActions(clause, ["set"]) : undefined), remove };
}

/** The words of a clause that only say what the list of hosts is called. */
export function wordsOfList({ tokens, text }: Clause): readonly number[] {
  return placesOfMatch(tokens, text, LISTED);
}

/** Tells whether a clause names something by other words than hosts and those for their list. */
function namesElse({ tokens, nouns, actions }: Clause, { explained }: Match, hosts: readonly number[]): boolean {
  const verbs = new Set([...actions.values()].flat());
  return [...explained].some(
    (at) =>
      !hosts.includes(at) &&
      !verbs.has(at) &&
      !LISTING.test(tokens[at]?.lower ?? "") &&
      nouns.get(at)?.has("host") !== true,
  );
}
