import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import type { Bench } from "../../directives/bench.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { NamedFiles } from "./name-files.ts";
import { findSpots, isRate, leavesOut, listLeaves, mergeFragment, type Way } from "./place-fragment.ts";

/** A change that a block may be meant to make. */
export interface Candidate {
  readonly deed: Deed;
  readonly score: number;
  /** True: the file is named as in the repository, or it alone fits. */
  readonly isExact: boolean;
  readonly isSafe: boolean;
  /** True: another file is named. */
  readonly isOther: boolean;
  /** True: it is a part of the manifest itself. */
  readonly isTop?: boolean;
  /** What a policy has of it; absent of other files. */
  readonly held?: "nothing" | "something";
}

/** Weight of a file from which on it is named as in the repository. */
export const NAMED = 3;
const REPLACING = /\b(?:replac\w*|swap|overwrite|exactly|instead|nothing but|ersetz\w*|remplac\w*|reemplaz\w*)\b|替换/i;
const POLICIES = "manifests/policies/";
/** Says that what a fragment has comes to what there is. */
const ADDING =
  /(?<!\p{L})(?:add|append|insert|include|extend|further|another|additional\w*|new|as well|too|hinzu\w*|ergänz\w*|füg\w*|añad\w*|agreg\w*|ajout\w*)(?!\p{L})|加|增/iu;
/** Keys whose values are never changed on a guess: they name something, or allow it. */
export const GUARDED: ReadonlySet<string | number> = new Set([
  "egress",
  "uses",
  "requiredCapabilities",
  "name",
  "version",
  "roles",
  "grants",
]);

/** Lists where the keys of a fragment may belong: in the file that it names by itself, or else in those that fit. */
export async function listFragments(
  data: Readonly<Record<string, Json>>,
  bench: Bench,
  all: readonly string[],
  files: NamedFiles,
): Promise<readonly Candidate[]> {
  const [[key, inner] = ["", null], ...others] = Object.entries(data);
  if (key === "labels" && others.length === 0 && isObject(inner)) return [toLabels(data)];
  const own = others.length === 0 && isObject(inner) ? files.fileOf(key) : files.fileOf(String(data["name"] ?? ""));
  const isWrapped = own !== undefined && others.length === 0 && isObject(inner);
  // A manifest names itself: that is whose keys the others are.
  const { name: _, ...rest } = data;
  const fragment = isWrapped ? (inner as typeof data) : own === undefined ? data : rest;
  const candidates: Candidate[] = [];
  for (const file of own === undefined ? all : [own])
    candidates.push(...(await listPlaced(bench, file, fragment, files, own === undefined ? undefined : NAMED)));
  // What names itself is a part of the manifest, and of nothing in it.
  if (own !== undefined && !isWrapped && candidates.some(({ isTop }) => isTop))
    return candidates.filter(({ isTop }) => isTop);
  // "loans.issue-loan: { rate: 120 }" may belong to a policy, under the name of the tool.
  if (isWrapped && isRate(inner))
    for (const file of all.filter((path) => path.startsWith(POLICIES)))
      candidates.push(...(await listPlaced(bench, file, data, files)));
  return candidates;
}

/** What labels stand for is said in one place. */
function toLabels(fragment: Readonly<Record<string, Json>>): Candidate {
  const deed: Deed = (bench) => mergeFragment(bench, "versions.yaml", [], fragment, "merge");
  return { deed, score: NAMED, isExact: true, isSafe: true, isOther: false };
}

/** The places of a file where a fragment may belong. */
async function listPlaced(
  bench: Bench,
  file: string,
  written: Readonly<Record<string, Json>>,
  files: NamedFiles,
  weight = files.weightOf(file),
): Promise<readonly Candidate[]> {
  const manifest = await bench.find(file, []);
  if (manifest === undefined) return [];
  const fragment = toDefaults(written, manifest);
  const isPolicy = file.startsWith(POLICIES);
  return findSpots(manifest, fragment, files.isNamed)
    .slice(0, 3)
    .flatMap(({ at, fit, isWhole }): readonly Candidate[] => {
      const isGuarded = !isPolicy && listLeaves(fragment, at).some((one) => one.at.some((step) => GUARDED.has(step)));
      const to = (way: Way, less: number, isSafe: boolean): Candidate => ({
        score: fit + weight - 2 - less,
        isExact: weight >= NAMED,
        isOther: weight < NAMED && files.isOther(file),
        isTop: at.length === 0,
        ...(isPolicy ? { held: !isWhole && at.length === 0 ? "nothing" : "something" } : {}),
        isSafe: isSafe && !isGuarded,
        deed: (on) => put(on, file, at, fragment, way),
      });
      const replaces = REPLACING.test(files.said);
      if (replaces) return [to("merge", 0, false), to("replace", 0.1, false)];
      if (!leavesOut(manifest, fragment, at)) return [to("merge", 0, true)];
      if (ADDING.test(files.said)) return [to("add", 0, true)];
      return isPolicy || isGuarded ? [to("merge", 0, false), to("add", 0.1, false)] : [to("merge", 0, true)];
    });
}

/** A fragment that gives parameters their values, as those of their defaults. */
function toDefaults(fragment: Readonly<Record<string, Json>>, manifest: Json): Readonly<Record<string, Json>> {
  const parameters = isObject(manifest) ? manifest["parameters"] : undefined;
  if (!isObject(parameters)) return fragment;
  const inner = fragment["parameters"];
  const own = Object.keys(fragment).length === 1 && isObject(inner) ? (inner as typeof fragment) : fragment;
  const isValue = ([key, value]: [string, Json]) =>
    Object.hasOwn(parameters, key) && ["string", "number", "boolean"].includes(typeof value);
  if (!Object.entries(own).every(isValue)) return fragment;
  return { parameters: Object.fromEntries(Object.entries(own).map(([key, value]) => [key, { default: value }])) };
}

/** Puts a fragment where it belongs; `replace`: each of its members in the place of what stands there. */
async function put(
  bench: Bench,
  file: string,
  at: readonly (string | number)[],
  fragment: Readonly<Record<string, Json>>,
  way: Way,
): Promise<void> {
  if (way !== "replace") return mergeFragment(bench, file, at, fragment, way);
  for (const [key, value] of Object.entries(fragment)) await mergeFragment(bench, file, [...at, key], value, way);
}
