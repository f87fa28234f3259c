import type { Version } from "../../../../versions/version.ts";
import { requireRole, revokeFrom } from "../../directives/phrases/change-capabilities.ts";
import type { Clause } from "../clause.ts";
import { toGrant } from "../drafts/access-drafts.ts";
import { has } from "../drafts/draft.ts";
import type { Places, Thing } from "../places/places.ts";
import type { Action } from "../words/word-lists.ts";
import { toStems } from "../words/words.ts";
import type { Guess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";
import type { Relevance } from "./relevance.ts";

/** Tools that a description of a right may mean. */
const DESCRIBED = 3;
/** Share of the name of a role from which on other words may name it. */
const NAMED = 0.6;
const ALLOWED =
  /\b(?:able|allow\w*|may|can|must|right|access|let|use|permission|business|need|needs|get|gets|lose|loses|away|give|giving)\b|bekomm|erh[aä]lt|verlier|dürfen|darf|können|puede\w*|peu(?:t|vent)|可以|能够|应该能/i;
/** Words that take a right away; "able to stop a build" takes none. */
const TAKEN =
  /\b(?:no longer|any ?more|any longer|not|cannot|nobody|lose|loses|revoke\w*|withdraw\w*|without|no business|no need|none of (?:their|its)|take\b.{1,40}\b(?:from|away)|remove\w*|strip\w*|deny|forbid\w*)\b|n['’]t\b|nicht|kein\w*|verlier\w*|ya no|ne\b.{1,30}\bplus\b|不再|不能/i;
/** Verbs of giving and taking, by which lists of rights are cut. */
const GIVES =
  /^(?:get|gets|gain|gains|receive|receives|grant|granted|give|given|add|allow|need|needs|bekommen|bekommt|erhalten|erhält|recibe|reciben|reçoit|reçoivent)$/;
const TAKES =
  /^(?:lose|loses|losing|drop|revoke|remove|not|without|minus|instead|verlieren|verliert|pierde|pierden|perd|perdent)$/;

/** Rights whose words a message has beside the name of a role: "release managers must be able to stop a build". */
export function guessRights(
  clause: Clause,
  mood: Mood,
  places: Places,
  near: ReadonlyMap<Thing, Relevance>,
): readonly Guess[] {
  const { version, things } = places;
  const { tokens, text } = clause;
  const said = new Set(tokens.flatMap(({ stems }) => stems));
  const isSaid = (stems: readonly string[]) => stems.length > 0 && stems.every((stem) => said.has(stem));
  const roles = things.filter(
    (thing) => thing.kind === "role" && (thing.names.some(isSaid) || (near.get(thing)?.name ?? 0) >= NAMED),
  );
  if (roles.length === 0 || !ALLOWED.test(text)) return [];
  const isGone = TAKEN.test(text) || (mood.isGone && !mood.isNew && !/\b(?:able|allowed|right) to\b/i.test(text));
  const rights = listRights(version);
  const exact = [...rights].filter((capability) => isSaid(toStems(capability.replace(/^tool:/, ""))));
  const described = describedTools(near).filter((right) => rights.has(right) && !exact.includes(right));
  return roles.flatMap((thing) => [
    ...exact.map((capability) => toRight({ clause, version, thing, capability, isGone, isDescribed: false })),
    ...described.map((capability) => toRight({ clause, version, thing, capability, isGone, isDescribed: true })),
    ...guessExchange(clause, version, thing, rights).map((one) => ({
      ...one,
      words: [...one.words, ...(near.get(thing)?.words ?? [])],
    })),
  ]);
}

/** "Interns should get kb:translate and lose ticket:read": rights that are given and others that are taken away. */
function guessExchange(
  { tokens }: Clause,
  version: Version,
  { id, role = "", names }: Thing,
  rights: ReadonlySet<string>,
): readonly Guess[] {
  const [given, taken]: [string[], string[]] = [[], []];
  const words: number[] = [];
  let list: string[] | undefined;
  for (const [at, { lower, text, stems }] of tokens.entries()) {
    const right = rights.has(text) ? text : rights.has(`tool:${text}`) ? `tool:${text}` : undefined;
    if (GIVES.test(lower)) list = given;
    else if (TAKES.test(lower)) list = taken;
    else if (right !== undefined) list?.push(right);
    const isRole = stems.length > 0 && stems.every((stem) => names.flat().includes(stem));
    if (right !== undefined || isRole || GIVES.test(lower) || TAKES.test(lower)) words.push(at);
  }
  if (given.length === 0 || taken.length === 0) return [];
  return [
    {
      name: `exchange ${id} +${given.join()} -${taken.join()}`,
      signs: { right: 1, verb: 1, exact: 1, marked: 1, siblings: 1 },
      words,
      deed: async (bench) => {
        await toGrant(version, role, given)(bench);
        await revokeFrom(requireRole(version, role), taken)(bench);
      },
    },
  ];
}

/** The rights to the tools that words of a message come nearest to: "they may look up how far a claim has come". */
function describedTools(near: ReadonlyMap<Thing, Relevance>): readonly string[] {
  const tools = [...near].flatMap(([{ kind, tool }, { name, soft }]) =>
    kind === "tool" && tool !== undefined ? [{ right: `tool:${tool.name}`, weight: name + soft }] : [],
  );
  return tools
    .sort((one, other) => other.weight - one.weight)
    .slice(0, DESCRIBED)
    .map(({ right }) => right);
}

function listRights({ tools }: Version): ReadonlySet<string> {
  return new Set(
    [...tools.values()].flatMap(({ name, requiredCapabilities }) => [`tool:${name}`, ...requiredCapabilities]),
  );
}

interface Right {
  readonly clause: Clause;
  readonly version: Version;
  readonly thing: Thing;
  readonly capability: string;
  readonly isGone: boolean;
  /** Says whether the message only describes what is allowed. */
  readonly isDescribed: boolean;
}

function toRight({ clause, version, thing, capability, isGone, isDescribed }: Right): Guess {
  const { id, role = "", names } = thing;
  const stems = new Set([...toStems(capability.replace(/^tool:/, "")), ...names.flat()]);
  const verbs = (isGone ? ["revoke", "remove"] : ["grant", "add"]) as readonly Action[];
  return {
    name: `${isGone ? "revoke" : "grant"} ${id} ${capability}`,
    signs: {
      right: 1,
      ...(has(clause, ...verbs) ? { verb: 1 } : {}),
      ...(isContrary(clause, isGone) && !/\bable to\b/i.test(clause.text) ? { against: 1 } : {}),
      ...(clause.tokens.some(({ lower }) => lower === capability) ? { exact: 1 } : {}),
      ...(capability.startsWith("tool:") ? { plain: 1 } : {}),
      ...(isDescribed ? { unsure: 1 } : {}),
    },
    words: clause.tokens.flatMap((token, at) =>
      token.stems.length > 0 && token.stems.every((stem) => stems.has(stem)) ? [at] : [],
    ),
    deed: (bench) =>
      isGone
        ? revokeFrom(requireRole(version, role), [capability])(bench)
        : toGrant(version, role, [capability])(bench),
  };
}

/** Tells whether the verbs of a message ask for the opposite of giving, or of taking away. */
export function isContrary(clause: Clause, isGone: boolean): boolean {
  return isGone ? has(clause, "grant", "enable") && !has(clause, "revoke", "remove") : has(clause, "revoke", "remove");
}
