import { likelihoodOf } from "../../intent/read-intent.ts";
import type { Tool, Version } from "../../../../../versions/version.ts";
import { covers } from "../../../../../versions/covers.ts";
import { requireRole, revokeFrom, toGrant } from "../../../directives/phrases/change-capabilities.ts";
import { type Clause, plainNegators, readClause } from "../../clause.ts";
import { has } from "../../drafts/draft.ts";
import type { Places, Thing } from "../../places/places.ts";
import type { Action } from "../../words/word-lists.ts";
import { toStems } from "../../words/words.ts";
import type { Guess } from "../guess-value.ts";
import { type Aim, type NearTool, toolsNear } from "./near-tools.ts";
import { findRelevant, type Relevance } from "../relevance.ts";

/** Tools that a description of a right may mean. */
const DESCRIBED = 3;
/** Share of the name of a role that is said at least. */
const NAMED = 0.75;
/** Likelihood from which on a message speaks of rights without a verb for them. */
const CERTAIN = 0.4;
/** How much likelier giving has to be than taking away, or the other way around, to be meant whatever words stand beside it. */
const CLEARER = 4;
/** Rights that are to no tool. */
const OTHER_RIGHTS: readonly (readonly [string, RegExp])[] = [
  ["architect:chat", /\b(?:feedback|architect)\b/iu],
  ["architect:tune", /\b(?:tun(?:e|es|ing)|promot\w+)\b/iu],
];
const ALLOWED =
  /\b(?:able|allow\w*|(?<!\b(?:from|in|since|until|by|of) )may|can|must|right|access|let|use|permission|business|need|needs|get|gets|lose|loses|away|give|giving)\b|bekomm|erh[aä]lt|verlier|dürfen|darf|können|puede\w*|peu(?:t|vent)|可以|能够|应该能/i;
/** Words that take a right away; "able to stop a build" takes none. */
const TAKEN =
  /\b(?:no longer|any ?more|any longer|not|cannot|nobody|lose|loses|revoke\w*|withdraw\w*|without|no business|no need|none of (?:their|its)|take\b.{1,40}\b(?:from|away)|remove\w*|strip\w*|deny|forbid\w*)\b|n['’]t\b|nicht|kein\w*|verlier\w*|ya no|ne\b.{1,30}\bplus\b|不再|不能/i;
/** Rights whose words a message has beside the name of a role: "release managers must be able to stop a build". */
export function guessRights({ clause, mood, places, near, likelihoods }: Aim): readonly Guess[] {
  const { version, things } = places;
  const { tokens, text } = clause;
  const said = new Set(tokens.flatMap(({ stems }) => stems));
  const isSaid = (stems: readonly string[]) => stems.length > 0 && stems.every((stem) => said.has(stem));
  // "Internal" is no "intern".
  const isMeant = ({ role = "" }: Thing, { name, words }: Relevance) =>
    name >= NAMED && [...words].some((at) => tokens[at]?.lower.startsWith(role) !== true);
  const roles = things.filter((thing) => {
    const relevance = near.get(thing);
    return (
      thing.kind === "role" && (thing.names.some(isSaid) || (relevance !== undefined && isMeant(thing, relevance)))
    );
  });
  const [given, taken] = [likelihoodOf(likelihoods, "right-grant"), likelihoodOf(likelihoods, "right-revoke")];
  const isSaidSo = ALLOWED.test(text);
  if (roles.length === 0 || (!isSaidSo && given + taken < CERTAIN)) return [];
  const isGone =
    taken > CLEARER * given ||
    (given <= CLEARER * taken &&
      (TAKEN.test(text) || (mood.isGone && !mood.isNew && !/\b(?:able|allowed|right) to\b/i.test(text))));
  const rights = listRights(version);
  const exact = [...rights].filter((capability) => isSaid(toStems(capability.replace(/^tool:/, ""))));
  const spoken = new Set(exact.flatMap(toStems));
  // What the words of a right come near to besides explains no more than that right.
  const saysMore = (words: ReadonlySet<number>) =>
    [...words].some((at) => tokens[at]?.stems.every((stem) => spoken.has(stem)) !== true);
  const firstOf = (thing: Thing) => Math.min(...(near.get(thing)?.words ?? []));
  const first = Math.min(...roles.map(firstOf));
  return roles.flatMap((thing) => {
    const base = { clause, version, thing, isGone, isFirst: firstOf(thing) === first };
    const tools = toolsBeside(clause, thing, places, near);
    const others = OTHER_RIGHTS.flatMap(([capability, pattern]) => (pattern.test(text) ? [capability] : []));
    return [
      ...[...exact, ...others].map((capability) => toRight({ ...base, capabilities: [capability] })),
      ...tools
        .filter(({ tool, words }) => !tool.requiredCapabilities.every((one) => exact.includes(one)) && saysMore(words))
        .map((tool) => toRight({ ...base, capabilities: rightsTo(tool.tool, thing, version, isGone), near: tool })),
    ];
  });
}

/** The tools that a message comes near to without the words for a role: "drivers should see how far a claim has come". */
function toolsBeside(clause: Clause, role: Thing, places: Places, near: Aim["near"]): readonly NearTool[] {
  const words = near.get(role)?.words ?? new Set();
  const rest = clause.tokens.filter((_, at) => !words.has(at)).map(({ text }) => text);
  return toolsNear(findRelevant(readClause(rest.join(" "), places), places), DESCRIBED).map((one) => ({
    ...one,
    words: new Set([...(near.get(one.thing)?.words ?? [])].filter((at) => !words.has(at))),
  }));
}

/** The capabilities by which a tool is used: those that a role lacks, or those that it would lose. */
function rightsTo({ requiredCapabilities: required }: Tool, { role = "" }: Thing, version: Version, isGone: boolean) {
  const held = version.policies.flatMap(({ roles }) => roles.get(role) ?? []);
  return isGone
    ? required.filter((one) => held.includes(one)).slice(0, 1)
    : required.filter((one) => !held.some((own) => covers(own, one)));
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
  readonly capabilities: readonly string[];
  readonly isGone: boolean;
  /** True: no role is named before it. */
  readonly isFirst: boolean;
  /** The tool by which the message describes what is allowed; absent: it names the capability. */
  readonly near?: NearTool;
}

function toRight({ clause, version, thing, capabilities, isGone, isFirst, near }: Right): Guess {
  const { id, role = "", names } = thing;
  const own = capabilities.map((capability) => toStems(capability.replace(/^tool:/, "")));
  const stems = new Set([...own.flat(), ...names.flat()]);
  const verbs = (isGone ? ["revoke", "remove"] : ["grant", "add"]) as readonly Action[];
  return {
    name: `${isGone ? "revoke" : "grant"} ${id} ${capabilities.join()}`,
    signs: {
      right: 1,
      ...(has(clause, ...verbs) ? { verb: 1 } : {}),
      ...(isSubject(clause, thing) ? { marked: 1 } : {}),
      ...(isContrary(clause, isGone) && !/\bable to\b/i.test(clause.text) ? { against: 1 } : {}),
      ...(clause.tokens.some(({ lower }) => capabilities.includes(lower)) ? { exact: 1 } : {}),
      ...(capabilities.some((capability) => capability.startsWith("tool:")) ? { plain: 1 } : {}),
      ...(isFirst ? { near: 1 } : { rival: 1 }),
      ...(near === undefined ? {} : { unsure: 1, name: near.signs.name ?? 0, rare: near.signs.rare ?? 0 }),
    },
    words: [
      ...clause.tokens.flatMap((token, at) =>
        token.stems.length > 0 && token.stems.every((stem) => stems.has(stem)) ? [at] : [],
      ),
      ...(near?.words ?? []),
      ...verbs.flatMap((verb) => clause.actions.get(verb) ?? []),
    ],
    deed: (bench) =>
      isGone
        ? revokeFrom(requireRole(version, role), capabilities)(bench)
        : toGrant(version, role, capabilities)(bench),
  };
}

/** Tells whether a role is what the message says of that it needs, may or gets something: "the drivers need quotes, too". */
function isSubject({ tokens }: Clause, { names }: Thing): boolean {
  return names.some((name) =>
    tokens.some(
      (_, at) =>
        name.every((stem, step) => tokens[at + step]?.stems.includes(stem) === true) &&
        /^(?:also|still|too|ought|should|must|may|can|could|cannot|can['’]t|needs?|wants?|gets?|lacks?|loses?|brauch\w*|dürfen|darf|können|kann|sollen|soll|necesitan?|pueden?|deb\w+|doi(?:t|vent)|peu(?:t|vent)|需要|应该|可以)$/.test(
          tokens[at + name.length]?.lower ?? "",
        ),
    ),
  );
}

/** Tells whether the verbs of a message ask for the opposite of giving, or of taking away. */
export function isContrary(clause: Clause, isGone: boolean): boolean {
  const isDenied = plainNegators(clause).length > 0;
  return isGone
    ? has(clause, "grant", "enable") && !isDenied && !has(clause, "revoke", "remove")
    : has(clause, "revoke", "remove");
}
