import { showValue } from "../../../show-value.ts";
import type { Bench } from "../../directives/bench.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, explainKey, explainNouns, isIdentifierOf, type Match } from "./draft.ts";
import type { Place, Places } from "../places/places.ts";
import { PLAIN } from "../words/phrase-index.ts";
import { toStem } from "../words/words.ts";

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
  /\b(?:egress|allow|white)[- ]?list(?:ed)?\b|\begress\b|\blist of (?:\w+ )?hosts\b|\b(?:allowed|permitted|approved) hosts\b|\bhosts (?:that|which) (?:tools|we|the policy|are allowed)\b|\b(?:access|egress) policy\b|\berlaubten? hosts?\b|\bhosts? (?:permitidos?|autorisés?)\b|允许的?(?:主机|域名)/iu;
/** Words of such sayings. */
const LISTING =
  /^(?:list|lists|listed|hosts?|tools?|reach|allow\w*|permit\w*|approved|policy|access|come|comes|off|call|calls)$/;
/** Doubt about a host that is said to be on the list, and about any other. */
const SAID = 0.15;
const UNSAID = 0.9;

/** Hosts that tools may reach: of a policy, or of a tool where that is named. */
export function draftHosts(clause: Clause, match: Match, place: Place, { version }: Places): readonly Draft[] {
  const hosts = clause.tokens.flatMap(({ text }, at) => (isHost(text) ? [{ host: text.toLowerCase(), at }] : []));
  const isTool = place.thing.kind === "tool";
  const isOfTool = clause.tokens.some(({ lower }) =>
    [...version.tools.values()].some((tool) => isIdentifierOf(tool, lower)),
  );
  const isListed = !isTool && !isOfTool && hosts.length === 1 && LISTED.test(clause.text);
  const remove = explainActions(clause, ["remove", "revoke", "disable", "stop"]);
  const add =
    explainActions(clause, ["add", "grant", "enable"]) ??
    (isListed && remove === undefined ? explainActions(clause, ["set"]) : undefined);
  if (hosts.length === 0 || (add === undefined) === (remove === undefined) || (isTool && match.own === 0)) return [];
  const words = [...(add ?? remove ?? []), ...(explainKey(clause, "egress") ?? []), ...hosts.map(({ at }) => at)];
  const deed: Deed = async (bench) => {
    for (const { host } of hosts) {
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
      ]
    : [];
  return [
    {
      name: `${place.file}#${place.at.join("/")} ${add === undefined ? "-" : "+"} ${hosts.map(({ host }) => host).join()}`,
      label: `the hosts of ${place.thing.label}`,
      thing: place.thing,
      explained: new Set([...words, ...nouns, ...talk, ...match.explained]),
      soft: match.soft,
      // A host is named by a tool and by a policy: whether both are meant is asked, where the list of the policy is not named.
      doubt: isTool ? 0.8 : isListed ? SAID : UNSAID,
      deed,
    },
  ];
}
