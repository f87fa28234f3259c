import type { Clause } from "../clause.ts";
import { isIdentifierOf } from "../drafts/draft.ts";
import { givesToAll } from "../drafts/gives-to-all.ts";
import { toHalved } from "../drafts/host-swap-drafts.ts";
import { exactName } from "../guess/relevance.ts";
import type { Places, Thing } from "../places/places.ts";
import { findCompounds, splitsCompound } from "../words/whole-name.ts";
import type { RightsJudge } from "./against-rights.ts";
import { contradict } from "./contradict.ts";
import { findLeaving, isOnlyLeft } from "./find-leaving.ts";
import { findUnknownNames } from "./find-unknown-names.ts";
import { isWrongWay } from "./is-wrong-way.ts";
import { toDenied, toLeavesNamed } from "./leaves-named.ts";
import { isLooselyNamed, leavesTwin } from "./loosely-named.ts";
import { toMisread } from "./misreads.ts";

/** Changes that take something away, end it or set it; what adds or renames may have names that there are not. */
const OF_PRESENT = /^(?:remove|deprecate|retire|require|relax|revoke|drop|reset) |^\S+#\S+(?:=| (?:remove|be) )/;

/** A reading: the name of what it does, and the words that it explains. */
interface Read {
  readonly name: string;
  readonly words: Iterable<number>;
}

/**
 * Makes a check of readings of a clause: whether something that it says speaks against one, so that it is never done unasked, however
 * well it explains the rest. What all readings share is found once.
 */
export function toContrary(clause: Clause, places: Places, rights: RightsJudge): (read: Read) => boolean {
  const unknown = new Set(findUnknownNames(clause, places));
  const leavesNamed = toLeavesNamed(clause, places);
  const isMisread = toMisread(clause, places);
  const compounds = findCompounds(clause.tokens, clause.text, places.identifiers);
  return ({ name, words }) => {
    const parts = name.split(" & ");
    const explained = [...words];
    return (
      splitsCompound(compounds, explained) ||
      contradict(parts, places) ||
      takesFewer(clause, parts) ||
      leavesNamed(parts) ||
      rights.halves(parts) ||
      isMisread(parts) ||
      leavesTwin(clause, parts, places) ||
      parts.some(
        (part) =>
          isAgainstVerb(clause, part, places) ||
          isOfDefault(clause, part, places) ||
          mistakesHosts(clause, part, parts, places) ||
          isNamedByValue(clause, part, places) ||
          isLooselyNamed(clause, part, places),
      ) ||
      parts.some(
        (part) =>
          OF_PRESENT.test(part) &&
          explained.some((at) => unknown.has(at) && !part.includes(clause.tokens[at]?.text ?? "")),
      )
    );
  };
}

/** Tells whether changes of hosts leave a tool aside that a clause names, or are of one kind where a host is to come and another to go. */
function mistakesHosts(
  { tokens, actions }: Clause,
  name: string,
  parts: readonly string[],
  { version, named }: Places,
): boolean {
  const [, id = "", hosts = ""] = /^(\S+#egress) [+-] (.*)$/s.exec(name) ?? [];
  if (named.get(id)?.thing.tool === undefined) return false;
  const tools = [...version.tools.values()].filter((one) => tokens.some(({ lower }) => isIdentifierOf(one, lower)));
  const isBoth = hosts.includes(",") && actions.has("remove") && parts.length < 2;
  return isBoth || tools.some(({ file }) => !parts.some((part) => part.startsWith(`${file}#`)));
}

/** What only bounds are called: "the cap of retries", "the lower bound". */
const BOUND = /\b(?:the|its|our|their|an?|this|that|upper|lower) (?:upper |lower )?(?:bound|cap|ceiling|floor)\b/iu;

/** "Raise the cap of retries" is not about their default. */
function isOfDefault({ text, keys }: Clause, name: string, { named }: Places): boolean {
  const place = named.get(/^(\S+#[^\s=]+)=/.exec(name)?.[1] ?? "");
  return place?.key === "default" && place.accepts.kind === "number" && BOUND.test(text) && !keys.has("default");
}

/** "Cut the maximum to 60" where it is 50. */
function isAgainstVerb(clause: Clause, name: string, { named }: Places): boolean {
  const [, id = "", value = ""] = /^(\S+#[^\s=]+)=(-?[\d.]+(?:e[+-]?\d+)?)$/.exec(name) ?? [];
  const now = named.get(id)?.now;
  return typeof now === "number" && isWrongWay(clause, now, Number(value));
}

/** Tells whether a text that is given is all that names the thing whose text it is to be: "change the title to `Snow`". */
function isNamedByValue({ tokens }: Clause, name: string, { named }: Places): boolean {
  const [, id = "", value = ""] = /^(\S+#[^\s=]+)="(.*)"$/s.exec(name) ?? [];
  const place = named.get(id);
  if (place?.accepts.kind !== "text") return false;
  const own = new Set([...place.thing.names.flat(), ...place.thing.owners]);
  const said = tokens.filter(({ stems }) => stems.some((stem) => own.has(stem)));
  return said.length > 0 && said.every(({ kind, text }) => kind === "quoted" && text === value);
}

/** Tells whether changes take fewer values out than a clause lists: "drop lake and river from water_source" where there is no lake. */
function takesFewer(clause: Clause, names: readonly string[]): boolean {
  const lists = names.flatMap((name) => /^\S+#\S+ remove (\[.*\])$/s.exec(name)?.[1] ?? []);
  if (lists.length === 0) return false;
  const gone = findLeaving(clause)?.gone ?? [];
  const isJoint = (at: number) => /^(?:,|and|or|und|y|et|\/)$/.test(clause.tokens[at]?.lower ?? "");
  const joined = gone.filter((at) => isJoint(at - 1) || isJoint(at + 1));
  const values = lists.flatMap((list): unknown[] => JSON.parse(list));
  return joined.length > values.length;
}

/**
 * Tells whether a change of that name is not of what a clause takes from what: "remove lake from water_source" takes the field
 * not away, and adds no lake.
 */
function mistakesLeaving(clause: Clause, name: string, { things, named, version }: Places): boolean {
  const gone = name.startsWith("remove ") ? things.find(({ id }) => name === `remove ${id}`) : undefined;
  if (gone !== undefined) return isOnlyLeft(clause, gone) || isLabel(clause, gone, version.history.labels);
  const [, id = "", list = ""] = /^(\S+#\S+) add (\[.*\])$/s.exec(name) ?? [];
  const thing = named.get(id)?.thing;
  if (thing === undefined || clause.actions.has("add") || !isOnlyLeft(clause, thing)) return false;
  return findLeaving(clause)?.gone.some((at) => list.includes(JSON.stringify(clause.tokens[at]?.text))) === true;
}

/** Tells whether all that may name a thing is the name of a label: "get rid of touring" is not about the field `tour`. */
function isLabel({ tokens }: Clause, thing: Thing, labels: ReadonlyMap<string, string>): boolean {
  const stems = new Set(thing.names.flat());
  const said = tokens.filter((token) => token.kind !== "sign" && token.stems.some((stem) => stems.has(stem)));
  return said.length > 0 && said.every(({ lower }) => labels.has(lower) && lower !== exactName(thing));
}

/** "Stop requiring it", "it shouldn't be required": what callers need not give any more. */
const NEEDLESS =
  /\b(?:stop|quit|cease|no longer) (?:requir|demand|insist)\w*|\b(?:stop|quit|cease) (?:making|having|treating|marking|declaring|keeping)\b[^.,;!?]{1,40}?\b(?:mandatory|required|compulsory|obligatory)\b|\b(?:should|must|need|does|is)(?:n['’]t| not| no longer) (?:have to |need to )?(?:be )?(?:required|mandatory|compulsory|obligatory)\b/iu;

/** Tells whether a clause gives an arm to everybody, and says of nothing that it goes. */
function isKept(clause: Clause): boolean {
  return givesToAll(clause) && !["remove", "revoke", "stop"].some((action) => clause.actions.has(action as "remove"));
}

/** Makes a check of names of changes that a clause cannot mean: it takes something else from what, or says that it is not to be. */
export function toMistaken(clause: Clause, places: Places): (name: string) => boolean {
  const isDenied = toDenied(clause);
  const isHalved = toHalved(clause, places);
  const [isNeedless, isGiven] = [NEEDLESS.test(clause.text), isKept(clause)];
  // "Cut 10 seconds off the time limit of run_chat and run_advance" takes no tool away.
  const isCut = clause.amounts.some(({ goes }) => goes === "down") && !clause.actions.has("remove");
  return (name) =>
    isDenied(name) ||
    isHalved(name) ||
    mistakesLeaving(clause, name, places) ||
    (isCut && name.startsWith("remove ")) ||
    (isNeedless && /^require \S+\/input\//.test(name)) ||
    (isGiven && name.startsWith("remove arm "));
}
