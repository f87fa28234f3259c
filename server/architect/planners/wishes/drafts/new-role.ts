import type { Policy } from "../../../../versions/policy.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import type { Places, Thing } from "../places/places.ts";
import { wholeName } from "../words/whole-name.ts";
import { type Draft, explainActions, explainNouns, has } from "./draft.ts";
import { findCapabilities } from "./find-capability.ts";

/** Words beside the one for roles that are no names. */
const NEW =
  /^(?:neue[rsmn]?|nuev[oa]|nouveau|nouvelle|novel|fresh|separate|propi[oa]|eigene[rn]?|propre|which|that|except|but|besides|other|than|named|called|able|use|using|call|access|run|create|grants?)$/;

/** Has a policy define a role. */
export function toNewRole({ file }: Policy, name: string, capabilities: readonly string[]): Deed {
  return async (bench) => {
    const isChanged = await bench.set(file, ["roles", name], [...capabilities]);
    const granted = capabilities.map((one) => `\`${one}\``);
    if (isChanged) bench.say(`There is a role \`${name}\`, which grants ${granted.join(", ")}.`);
    bench.need("minor");
  };
}

/** Finds the name of a role behind what it is for: "new role for the docs bot: librarian". */
export function roleBehindColon({ text, tokens }: Clause): number | undefined {
  const found =
    /\b(?:role|rolle|rol|rôle)\b[^.:;!?\d]{0,40}:\s*["'\x60]?([a-z][\w-]{1,63})["'\x60]?(?=[.,;\s]|$)/iu.exec(text);
  const name = found?.[1];
  if (found === null || name === undefined) return undefined;
  const start = text.indexOf(name, found.index + found[0].lastIndexOf(name));
  const at = tokens.findIndex((token) => token.start <= start && token.end > start && token.text === name);
  return at < 0 ? undefined : at;
}

/** Words behind which it stands whom a role is for. */
const PURPOSE = /^(?:for|für|para|pour)$/;

/** Places beside a word for roles that may name one, the likeliest first: "let apprentice (a new role) read". */
export function placesForName({ tokens }: Clause, noun: number): readonly number[] {
  const isClosed = tokens[noun + 1]?.text === ")";
  const open = isClosed ? tokens.findLastIndex(({ text }, at) => at < noun && text === "(") : -1;
  const purpose = tokens.findIndex(({ lower }, at) => at > noun && PURPOSE.test(lower));
  const behind = [noun + 1, noun + 2, noun + 3].filter((at) => purpose < 0 || at < purpose);
  return open > 0 ? [open - 1] : [...behind, noun - 1];
}

/** Verbs of what a role may do. */
const DOING =
  /^(?:read|see|view|list|get|look|write|use|run|call|query|search|create|make|change|cancel|approve|send|check|follow)$/;

/** Drafts of a role that is not there yet: "create a role night-shift with ticket:read". */
export function draftNewRole(clause: Clause, places: Places): readonly Draft[] {
  const [noun = -1] = explainNouns(clause, "role");
  const verbs = explainActions(clause, ["add"]);
  const isNamed = places.things.some(
    (thing) => thing.kind === "role" && clause.tokens.some(({ stems }) => stems.length > 0 && isRoleWord(thing, stems)),
  );
  const [policy, ...others] = places.version.policies.filter(({ roles }) => roles.size > 0);
  if (
    isNamed ||
    noun < 0 ||
    verbs === undefined ||
    policy === undefined ||
    others.length > 0 ||
    has(clause, "remove", "revoke")
  )
    return [];
  const named = findCapabilities(clause, places);
  const isFree = (at: number) => {
    const token = clause.tokens[at];
    return (
      token !== undefined &&
      token.kind !== "sign" &&
      token.kind !== "number" &&
      (clause.weights[at] ?? 0) > 0 &&
      /^[a-z][\w-]{1,63}$/i.test(token.text) &&
      !NEW.test(token.lower) &&
      !(token.kind === "word" && verbs.includes(at)) &&
      !places.version.policies.some(({ roles }) => roles.has(token.text))
    );
  };
  const at = [roleBehindColon(clause) ?? -1, ...placesForName(clause, noun)].find(isFree);
  if (at === undefined || named.some(({ words }) => words.includes(at))) return [];
  const whole = wholeName(clause.tokens, clause.text, at);
  const name = whole.name.toLowerCase();
  const only = clause.negators.filter((place) => clause.tokens[place]?.lower === "only");
  const talk = clause.tokens.flatMap(({ lower }, place) =>
    /^(?:named|called|able|use|call|access|using|run|create|grants?|may|can)$/.test(lower) ? [place] : [],
  );
  const grants = clause.actions.get("grant") ?? [];
  const capabilities = named.map(({ capability }) => capability);
  const deed = toNewRole(policy, name, capabilities);
  const explained = new Set([
    noun,
    ...whole.words,
    ...verbs,
    ...only,
    ...talk,
    ...grants,
    ...named.flatMap(({ words }) => words),
  ]);
  // "May read balances and read the ledger": of two rights, one was found.
  const isHalf = named.some(({ words }) =>
    clause.tokens.some(
      ({ lower }, place) =>
        place > Math.min(...words) &&
        place < Math.max(...words) &&
        /^(?:and|or|,)$/.test(lower) &&
        DOING.test(clause.tokens[place + 1]?.lower ?? ""),
    ),
  );
  const base = {
    name: `role ${name} ${capabilities.join()}`,
    label: `a role \`${name}\``,
    thing: undefined,
    explained,
    soft: new Set<number>(),
    doubt: isHalf ? 1 : 0,
  };
  return [
    capabilities.length === 0
      ? { ...base, doubt: 1, missing: `What may the role \`${name}\` use?` }
      : { ...base, deed },
  ];
}

function isRoleWord({ names }: Thing, stems: readonly string[]): boolean {
  return names.some((name) => name.length === stems.length && name.every((stem, at) => stems[at] === stem));
}
