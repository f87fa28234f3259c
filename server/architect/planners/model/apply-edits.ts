import { CairnError } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import { readStrictJson } from "../../../json/strict-json.ts";
import { readYaml } from "../../../versions/manifests/yaml/read-yaml.ts";
import { quote } from "../../../capabilities/workspace/check-path.ts";
import type { ChangedFile } from "../../guard/overreach.ts";
import { findPlace } from "./find-place.ts";
import type { ModelLimits } from "./model-limits.ts";
import type { SubmittedEdit } from "./read-submission.ts";

export type EditsApplied =
  | { readonly ok: true; readonly files: readonly ChangedFile[] }
  | { readonly ok: false; readonly faults: readonly string[] };

const MAX_FAULTS = 10;

/** The files as they would be, of paths that have been checked; or what is wrong with the edits, in sentences. */
export function applyEdits(
  edits: readonly SubmittedEdit[],
  readText: (path: string) => string | undefined,
  limits: ModelLimits,
): EditsApplied {
  const faults: string[] = [];
  const files: ChangedFile[] = [];
  if (edits.length > limits.planFiles) faults.push(`A plan has at most ${limits.planFiles} files.`);
  for (const edit of edits.slice(0, limits.planFiles)) {
    const before = readText(edit.path);
    const applied = apply(edit, before);
    const file = { path: edit.path, before, after: applied.text };
    faults.push(...applied.faults, ...findFaults(file, limits));
    if (files.some(({ path }) => path === edit.path)) faults.push(`${quote(edit.path)} has two edits; make them one.`);
    files.push(file);
  }
  const size = files.reduce((sum, { after = "" }) => sum + after.length, 0);
  if (size > limits.planCharacters)
    faults.push(`The files have more than ${limits.planCharacters} characters together.`);
  const isIdle = files.every(({ before, after }) => before === after);
  if (isIdle && faults.length === 0) faults.push("The plan changes nothing.");
  return faults.length === 0 ? { ok: true, files } : { ok: false, faults: faults.slice(0, MAX_FAULTS) };
}

interface Applied {
  readonly text: string | undefined;
  readonly faults: readonly string[];
}

function apply({ path, text, replace = [] }: SubmittedEdit, before: string | undefined): Applied {
  if (text !== undefined) return { text, faults: [] };
  if (before === undefined) return { text: undefined, faults: [`There is no file ${quote(path)} to change.`] };
  // Without a text and replacements, the edit deletes.
  if (replace.length === 0) return { text: undefined, faults: [] };
  let now = before;
  for (const [index, { find, with: put }] of replace.entries()) {
    const place = findPlace(now, find, put);
    if (!place.ok) {
      return { text: now, faults: [`${quote(path)}, replacement ${index + 1}: its \`find\` ${place.fault}`] };
    }
    now = now.slice(0, place.start) + place.put + now.slice(place.end);
  }
  return { text: now, faults: [] };
}

function findFaults({ path, before, after }: ChangedFile, limits: ModelLimits): readonly string[] {
  if (after === undefined) return [];
  if (after.length > limits.planFileCharacters) {
    return [`${quote(path)} would have more than ${limits.planFileCharacters} characters.`];
  }
  if (path.endsWith(".json")) return findJsonFaults(path, after);
  if (!/^(?:manifests\/.+|versions)\.yaml$/.test(path)) return [];
  const yaml = readYaml(path, after);
  if (!yaml.ok) return yaml.problems.map(({ message }) => `${quote(path)} cannot be read: ${message}`);
  return hasOtherVersion(path, before, yaml.value)
    ? [`${quote(path)}: leave \`version\` as it is; it is raised as the change needs.`]
    : [];
}

function findJsonFaults(path: string, text: string): readonly string[] {
  try {
    readStrictJson(text);
    return [];
  } catch (error) {
    if (error instanceof CairnError) return [`${quote(path)} cannot be read: ${error.message}`];
    throw error;
  }
}

/** A tool's own version is raised by whoever proves what the change needs. */
function hasOtherVersion(path: string, before: string | undefined, after: unknown): boolean {
  if (before === undefined || path === "versions.yaml" || !isObject(after)) return false;
  const old = readYaml(path, before);
  return old.ok && isObject(old.value) && old.value["version"] !== after["version"];
}
