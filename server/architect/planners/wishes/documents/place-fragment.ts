import { canonicalJson } from "../../../../json/canonical-json.ts";
import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import { showValue } from "../../../show-value.ts";
import { findIn, type Path } from "../../../edit/edit-json.ts";
import type { Bench } from "../../directives/bench.ts";

/** Where a fragment may belong in a manifest. */
export interface Spot {
  readonly at: Path;
  /** Odds by how well its keys fit. */
  readonly fit: number;
  /** True: all of its keys stand there, so that no place is closer. */
  readonly isWhole: boolean;
}

type Mapping = Readonly<Record<string, Json>>;

/** Levels of a manifest that are looked through. */
const DEPTH = 7;
const LEAVES = 80;
/** Mappings of like things, which may have more of them. */
const COLLECTIONS: ReadonlySet<string | number> = new Set(["properties", "parameters", "arms", "roles"]);
/** Parts that show values rather than declare them. */
const SHOWN: ReadonlySet<string> = new Set(["examples", "resources", "prompts"]);

/** Finds where the keys of a fragment stand in a manifest, the best place first. `isNamed` tells which keys the message says. */
export function findSpots(manifest: Json, fragment: Mapping, isNamed: (key: string) => boolean): readonly Spot[] {
  const leaves = listLeaves(fragment, []);
  if (leaves.length === 0 || leaves.length > LEAVES) return [];
  const spots = listMappings(manifest, []).flatMap(({ at, value }) => {
    const spot = judgeSpot(value, at, fragment, leaves) ?? judgeMembers(value, at, fragment);
    return spot === undefined ? [] : [{ ...spot, fit: spot.fit + namesOf(at, isNamed) - 0.05 * at.length }];
  });
  return spots.toSorted((one, other) => other.fit - one.fit);
}

/**
 * What becomes of what a fragment does not mention. `merge`: members of mappings stay, and lists are as the fragment has
 * them. `add`: elements of lists stay, too. `replace`: all of it goes.
 */
export type Way = "merge" | "add" | "replace";

/** Puts the values of a fragment where they belong. */
export async function mergeFragment(bench: Bench, file: string, at: Path, value: Json, way: Way): Promise<void> {
  const present = await bench.find(file, at);
  if (isObject(value) && isObject(present) && way !== "replace") {
    for (const [key, inner] of Object.entries(value))
      await mergeFragment(bench, file, [...at, key], inner as Json, way);
    return;
  }
  const isMore = way === "add" && Array.isArray(value) && Array.isArray(present);
  const whole = isMore ? [...present, ...listMissing(present, value)] : value;
  const isChanged = await bench.set(file, at, whole);
  if (isChanged) bench.say(`\`${at.join(".")}\` in ${file} is ${showValue(whole)}.`);
}

/** The elements that a list does not have yet. */
function listMissing(present: readonly Json[], more: readonly Json[]): readonly Json[] {
  const there = new Set(present.map((one) => canonicalJson(one)));
  return more.filter((one) => !there.has(canonicalJson(one)));
}

/** Tells whether a fragment has a list that leaves out what stands there: it may be meant to be added, or to be all of it. */
export function leavesOut(manifest: Json, fragment: Mapping, at: Path): boolean {
  return listLeaves(fragment, at).some((leaf) => {
    const present = findIn(manifest, leaf.at);
    return (
      Array.isArray(leaf.value) &&
      Array.isArray(present) &&
      listMissing(leaf.value, present as readonly Json[]).length > 0
    );
  });
}

/** Lists the values that are no mapping, with where they are. */
export function listLeaves(value: Json, at: Path): readonly { readonly at: Path; readonly value: Json }[] {
  if (!isObject(value)) return [{ at, value }];
  return Object.entries(value).flatMap(([key, inner]) => listLeaves(inner as Json, [...at, key]));
}

function judgeSpot(
  place: Mapping,
  at: Path,
  fragment: Mapping,
  leaves: ReturnType<typeof listLeaves>,
): Spot | undefined {
  const keys = Object.keys(fragment);
  const present = keys.filter((key) => Object.hasOwn(place, key));
  if (present.length === 0 || (present.length < keys.length && !mayGrow(at, place, fragment))) return undefined;
  const there = leaves.filter((leaf) => findIn(place, leaf.at) !== undefined);
  const isFitting = there.every((leaf) => kindOf(findIn(place, leaf.at)) === kindOf(leaf.value));
  if (!isFitting) return undefined;
  const alike = there.filter((leaf) => canonicalJson(findIn(place, leaf.at) ?? null) === canonicalJson(leaf.value));
  const fit = (2 * there.length + alike.length) / leaves.length + present.length / keys.length;
  return { at, fit, isWhole: present.length === keys.length };
}

/** How well members fit that a place does not have yet: there is nothing to compare them with. */
const NEW = { fields: 1, parts: 0.6 } as const;
/** Parts that a manifest may have besides those that it has. */
const PARTS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "limits",
  "cost",
  "deprecated",
  "examples",
  "egress",
  "commands",
  "retirement",
  "approvals",
  "architect",
  "roles",
]);

/** An object as the place of fields, and a manifest as that of parts, that it does not have yet. */
function judgeMembers(place: Mapping, at: Path, fragment: Mapping): Spot | undefined {
  const keys = Object.keys(fragment);
  if (keys.some((key) => Object.hasOwn(place, key))) return undefined;
  if (at.length === 0) return keys.every((key) => PARTS.has(key)) ? { at, fit: NEW.parts, isWhole: false } : undefined;
  const values = Object.values(fragment);
  const isRoles = at.join("/") === "roles" && values.every(isGrants) && !keys.some((key) => PARTS.has(key));
  const isRates = at.join("/") === "limits/tools" && keys.every((key) => key.includes(".")) && values.every(isRate);
  const isArms = at.join("/") === "experiment/arms" && values.every((value) => isObject(value) && !isSchema(value));
  if (isRoles || isRates || isArms) return { at, fit: NEW.fields, isWhole: false };
  const isFields = Object.entries(fragment).every(([key, value]) => /^[A-Za-z_]\w*$/.test(key) && isSchema(value));
  return at.at(-1) === "properties" && isFields ? { at, fit: NEW.fields, isWhole: false } : undefined;
}

/** What a role grants. */
function isGrants(value: Json): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && /^\S+$/.test(one));
}

/** What a policy allows of calls of a tool. */
export function isRate(value: unknown): boolean {
  return isObject(value) && Object.keys(value).every((key) => ["rate", "concurrency"].includes(key));
}

function isSchema(value: Json): boolean {
  return (
    isObject(value) && ["type", "enum", "$ref", "const", "anyOf", "oneOf"].some((key) => Object.hasOwn(value, key))
  );
}

/** Tells whether a mapping takes keys that it does not have. */
function mayGrow(at: Path, place: Mapping, fragment: Mapping): boolean {
  const added = Object.entries(fragment).filter(([key]) => !Object.hasOwn(place, key));
  if (at.at(-1) === "roles") return added.every(([, value]) => isGrants(value));
  if (COLLECTIONS.has(at.at(-1) ?? "")) return added.every(([, value]) => isObject(value));
  return added.length < Object.keys(fragment).length && added.every(([, value]) => !isObject(value));
}

function namesOf(at: Path, isNamed: (key: string) => boolean): number {
  const named = at.filter((step) => typeof step === "string" && isNamed(step)).length;
  // Of fields with one name, callers' input is meant.
  return 0.8 * named - (at[0] === "output" && !isNamed("output") ? 0.4 : 0);
}

function listMappings(value: Json, at: Path): readonly { readonly at: Path; readonly value: Mapping }[] {
  if (!isObject(value) || at.length > DEPTH || (at.length === 1 && SHOWN.has(String(at[0])))) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => listMappings(one as Json, [...at, key]));
  return [{ at, value: value as Mapping }, ...inner];
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "list" : isObject(value) ? "mapping" : value === null ? "nothing" : typeof value;
}
