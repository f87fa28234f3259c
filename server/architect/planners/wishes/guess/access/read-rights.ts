import { covers } from "../../../../../versions/covers.ts";
import type { Clause } from "../../clause.ts";
import type { Places, Thing } from "../../places/places.ts";
import { isShifting, readParts, type RightsPart } from "./rights-parts.ts";

/** Rights that a part of a message gives to a role, or takes from it. */
export interface Shift {
  readonly role: Thing;
  readonly isGiven: boolean;
  readonly rights: readonly string[];
  /** The words that name the rights. */
  readonly core: readonly number[];
  readonly words: readonly number[];
}

/** A change that a message does not mean; what is absent may be any. */
export interface Bar {
  readonly role?: string;
  readonly rights?: readonly string[];
  readonly isGiven?: boolean;
}

/** What a message says of who is to have which right. */
export interface Rights {
  /** What it gives and takes by names of rights: "watcher gets build:logs; operator loses architect:tune". */
  readonly shifts: readonly Shift[];
  readonly bars: readonly Bar[];
  /** The words that say what is not meant. */
  readonly barring: readonly number[];
  /** Roles that it takes something from without a name of a right. */
  readonly losing: ReadonlySet<string>;
  /** True: it leaves open who is meant, or what. */
  readonly isOpen: boolean;
  /** True: it is about all roles but some. */
  readonly isExcepting: boolean;
}

/** What was said before a part. */
interface Before {
  readonly roles: readonly Thing[];
  readonly said?: Pick<Shift, "rights" | "core"> | undefined;
  readonly isGiven?: boolean | undefined;
}

const EVERYBODY =
  /(?<!\p{L})(?:every\p{L}*|all|any(?:one|body)|alle[nrm]?|jede\p{L}*|tod[oa]s|tous|toutes|chaque)(?!\p{L})/iu;
const NOBODY = /(?<!\p{L})(?:nobody|no ?one|none|no role|niemand|keine?r?|nadie|ningún|personne|aucun)(?!\p{L})/iu;

/** Reads what a message says of who is to have which right, part by part, and who is to stay as he is. */
export function readRights(clause: Clause, places: Places): Rights {
  const shifts: Shift[] = [];
  const bars: Bar[] = [];
  const barring: number[] = [];
  const parts = readParts(clause, places);
  let before: Before = { roles: [] };
  let isOpen = false;
  for (const [at, part] of parts.entries()) {
    const named = part.rights.filter(({ mark }) => mark === undefined || mark === "alone");
    const meant = [...(isLeading(parts, at - 1) ? (parts[at - 1]?.rights ?? []) : []), ...named];
    const own =
      meant.length > 0
        ? { rights: meant.map(({ right }) => right), core: meant.map(({ at: place }) => place) }
        : undefined;
    const roles = part.roles.filter(({ mark }) => mark === undefined).map(({ role }) => role);
    const isGiven = part.isGiven ?? (part.isList ? before.isGiven : undefined);
    const isMore = part.roles.length > 0 && part.isList;
    const said = own ?? ((part.isPronoun && part.isGiven !== undefined) || isMore ? before.said : undefined);
    const barred = toBars(part, { ...before, said: own ?? before.said, isGiven }, roles);
    bars.push(...barred);
    if (barred.length > 0) barring.push(...wordsOf(clause, part));
    // Who only stands beside the next one is meant with him: "office and climber lose jobs:read".
    const whole = isSubject(parts[at - 1]) ? [...before.roles, ...roles] : roles;
    const isDenied = part.isStay || part.isDenied;
    const next: Before = {
      roles: isDenied && !part.isStay ? before.roles : whole.length > 0 ? whole : before.roles,
      said: isDenied ? (before.said ?? own) : (own ?? before.said),
      isGiven: isDenied ? before.isGiven : isGiven,
    };
    before = next;
    if (isDenied || isLeading(parts, at)) continue;
    isOpen ||= part.isOpen && part.roles.length + part.rights.length > 0;
    if (said === undefined || isGiven === undefined) continue;
    const found = toShifts(part, { ...next, said, isGiven }, { clause, places });
    isOpen ||= found === undefined;
    shifts.push(...(found ?? []));
  }
  const isExcepting = parts.some((part) => part.roles.some(({ mark }) => mark === "excepted"));
  const losing = new Set(
    parts.flatMap(({ isGiven, rights, roles }) =>
      isGiven === false && rights.length === 0
        ? roles.flatMap(({ role, mark }) => (mark === undefined ? role.id : []))
        : [],
    ),
  );
  return { shifts, bars, barring, losing, isOpen, isExcepting };
}

/** Tells whether a part only names rights that the next one says more of: "grant a:read and b:read to the foreman". */
function isLeading(parts: readonly RightsPart[], at: number): boolean {
  const [part, next] = [parts[at], parts[at + 1]];
  if (part === undefined || next === undefined || part.rights.length === 0 || part.roles.length > 0) return false;
  const isFirst = !parts.slice(0, at).some(({ roles }) => roles.length > 0);
  return isFirst && !part.isStay && !part.isDenied && next.isList && next.rights.length > 0 && next.roles.length > 0;
}

/** Tells whether a part only names a role. */
function isSubject(part: RightsPart | undefined): boolean {
  return part !== undefined && part.isList && part.roles.length > 0 && part.rights.length === 0 && !part.isDenied;
}

/** What a part gives and takes; undefined where that is not understood. */
function toShifts(
  part: RightsPart,
  {
    roles,
    said,
    isGiven,
  }: Pick<Before, "roles"> & { readonly said: Pick<Shift, "rights" | "core">; readonly isGiven: boolean },
  { clause, places }: { readonly clause: Clause; readonly places: Places },
): readonly Shift[] | undefined {
  const base = { ...said, words: wordsOf(clause, part) };
  const marked = part.roles.filter(({ mark }) => mark !== undefined);
  const isMarked = marked.length > 0 && marked.length === part.roles.length;
  const excepted = marked.filter(({ mark }) => mark === "excepted").map(({ role }) => role);
  if (excepted.length > 0) {
    if (NOBODY.test(clause.text) || !EVERYBODY.test(part.text)) return [];
    const others = othersOf(excepted, said.rights, isGiven, places);
    return others?.map((role) => ({ role, isGiven, ...base }));
  }
  const instead = marked
    .filter(({ mark, role }) => mark === "instead" && isGiven && holds(role, said.rights, places))
    .map(({ role }): Shift => ({ role, isGiven: false, ...base }));
  const lost = part.rights.filter(({ mark }) => mark === "instead").map(({ right }) => right);
  const swapped =
    lost.length === 0 ? [] : roles.map((role): Shift => ({ role, isGiven: !isGiven, ...base, rights: lost }));
  return [...(isMarked ? [] : roles.map((role): Shift => ({ role, isGiven, ...base }))), ...instead, ...swapped];
}

/** The words of a part that name roles and rights, and say what becomes of them. */
function wordsOf(clause: Clause, { words, roles, rights }: RightsPart): readonly number[] {
  const named = new Set([...roles.flatMap((one) => one.words), ...rights.map(({ at }) => at)]);
  return words.filter((at) => named.has(at) || isShifting(clause, at));
}

/** The roles besides some that do not have rights yet, or that lose them; undefined where one of them has them by a family. */
function othersOf(
  excepted: readonly Thing[],
  rights: readonly string[],
  isGiven: boolean,
  places: Places,
): readonly Thing[] | undefined {
  const others = places.things.filter((thing) => thing.kind === "role" && !excepted.includes(thing));
  const having = others.filter((role) =>
    rights.some((right) => heldBy(role, places).some((own) => covers(own, right))),
  );
  if (isGiven) return others.filter((role) => !having.includes(role));
  return having.every((role) => holds(role, rights, places)) ? having : undefined;
}

/** Tells whether a role has rights in so many words. */
function holds(role: Thing, rights: readonly string[], places: Places): boolean {
  const held = heldBy(role, places);
  return rights.every((right) => held.includes(right));
}

/** The rights that a role has. */
export function heldBy({ role = "" }: Thing, { version }: Places): readonly string[] {
  return version.policies.flatMap(({ roles }) => roles.get(role) ?? []);
}

/** The changes that a part of a message speaks against. */
function toBars(part: RightsPart, { said, isGiven }: Before, roles: readonly Thing[]): readonly Bar[] {
  const named = part.rights.map(({ right }) => right);
  const ofRights = named.length > 0 ? { rights: named } : said === undefined ? {} : { rights: said.rights };
  if (part.isStay)
    return roles.length > 0
      ? roles.map(({ id }) => ({ role: id, ...ofRights, isGiven: false }))
      : [{ ...ofRights, isGiven: false }];
  const direction = isGiven === undefined ? {} : { isGiven };
  const ofRoles = part.roles.flatMap(({ role: { id }, mark }): readonly Bar[] => {
    if (mark === "alone") return [{ role: id, isGiven: false }];
    if (mark === "excepted") return NOBODY.test(part.text) ? [{ role: id, isGiven: false }] : [{ role: id }];
    if (mark === "instead") return isGiven === false ? [{ role: id, ...direction }] : [{ role: id, isGiven: true }];
    return mark === "denied" || mark === "compared" ? [{ role: id, ...direction }] : [];
  });
  const ofOthers = part.rights.flatMap(({ right, mark }): readonly Bar[] =>
    mark === "denied" || mark === "excepted" ? [{ rights: [right], ...direction }] : [],
  );
  return [...ofRoles, ...ofOthers, ...(part.isDenied && named.length > 0 ? [{ rights: named, ...direction }] : [])];
}
