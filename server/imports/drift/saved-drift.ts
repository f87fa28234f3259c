import { readFile, writeFile } from "node:fs/promises";
import { CairnError } from "../../errors.ts";
import type { Drift, DriftState } from "./drift.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import type { KnownImport } from "./list-imports.ts";
import { FRAGMENT_FOLDER } from "../../versions/tree.ts";

/** Part of a drift that one job hands to another: files and what was seen. What these mean is measured anew. */
export type HandedDrift = Pick<Drift, "fingerprint" | "files" | "notes" | "examples">;

/** State of an import as an earlier run has seen it. */
export type HandedState =
  | { readonly state: "unchanged" }
  | { readonly state: "drifted"; readonly drift: HandedDrift }
  | { readonly state: "failed"; readonly reason: string };

const SCHEMA_VERSION = 1;
/** Characters of a file of states. */
const MAX_LENGTH = 64 * 1024 * 1024;
const MAX_NOTES = 1_000;

/** Saves states for a job that has the right to propose, and asks no source itself. */
export async function saveStates(path: string, commit: string, states: readonly DriftState[]): Promise<void> {
  const imports = states.map((one) => {
    const { kind, name, state } = one;
    if (one.state === "failed") return { kind, name, state, reason: one.reason };
    if (one.state === "unchanged") return { kind, name, state };
    const { fingerprint, files, notes, examples } = one.drift;
    return { kind, name, state, fingerprint, files: Object.fromEntries(files), notes, examples };
  });
  await writeFile(path, `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, commit, imports }, undefined, 2)}\n`);
}

/**
 * Loads the states of imports that an earlier run has saved. The file may come from a job that an attacker has taken over by the answer of
 * a source: so it can change files of tools and nothing else, above all no workflow. @throws BAD_REQUEST
 */
export async function loadStates(
  path: string,
  commit: string,
  known: readonly KnownImport[],
): Promise<ReadonlyMap<KnownImport, HandedState>> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${path}\` cannot be read.`, { cause });
  });
  const wrong = (what: string) => new CairnError("BAD_REQUEST", `\`${path}\` is not used: ${what}.`);
  if (text.length > MAX_LENGTH) throw wrong(`it has more than ${MAX_LENGTH} characters`);
  const content = readJson(text);
  const imports = isObject(content) ? content["imports"] : undefined;
  if (!isObject(content) || content["schemaVersion"] !== SCHEMA_VERSION || !Array.isArray(imports))
    throw wrong("`cairn drift --save` of this release has not written it");
  if (content["commit"] !== commit) throw wrong("it is about another commit than the one that is checked out");
  const states = new Map<KnownImport, HandedState>();
  for (const one of imports as readonly unknown[]) {
    const found = isObject(one)
      ? known.find(({ kind, name }) => kind === one["kind"] && name === one["name"])
      : undefined;
    if (!isObject(one) || found === undefined) throw wrong("it names an import that is not in this checkout");
    const state = readState(one, found);
    if (typeof state === "string") throw wrong(state);
    states.set(found, state);
  }
  return states;
}

/** Reads one state; a text says what is wrong with it. */
function readState(one: Readonly<Record<string, unknown>>, about: KnownImport): HandedState | string {
  const { state, reason, fingerprint, files, notes, examples } = one;
  if (state === "unchanged") return { state };
  if (state === "failed") return { state, reason: typeof reason === "string" ? reason : "It does not say why." };
  if (state !== "drifted") return "a state is none of unchanged, drifted and failed";
  if (typeof fingerprint !== "string" || !/^[0-9a-f]{64}$/.test(fingerprint)) return "a fingerprint is no SHA-256";
  if (!isObject(files) || !isTexts(notes)) return "the files or notes of an import are missing";
  for (const [path, text] of Object.entries(files)) {
    if (!isOwnPath(path, about) && !(isFragmentFile(path) && text !== null))
      return `an import may not change \`${path.slice(0, 200)}\``;
    if (text !== null && typeof text !== "string") return "a file is neither a text nor gone";
  }
  const counts = isObject(examples) ? [examples["passed"], examples["failed"], examples["skipped"]] : [];
  if (!isObject(examples) || !counts.every((count) => Number.isSafeInteger(count)) || !isTexts(examples["reasons"]))
    return "the examples of an import are not counted";
  const drift = { fingerprint, notes, files: new Map(Object.entries(files)), examples };
  return { state, drift: drift as unknown as HandedDrift };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_NOTES && value.every((one) => typeof one === "string");
}

/** True for a path that change fragments get, which a renewal may add. */
function isFragmentFile(path: string): boolean {
  const [folder, name = "", ...more] = path.split("/");
  return folder === FRAGMENT_FOLDER && more.length === 0 && /^[a-z0-9-]+\.md$/.test(name);
}

/** Says whether renewing an import can touch a file: manifests and handlers of tools, its own record, and the numbers. */
function isOwnPath(path: string, { kind, name }: KnownImport): boolean {
  if (path === "versions.yaml" || path === `imports/${name}.lock.json`)
    return path === "versions.yaml" || kind === "openapi";
  const [folder = "", server = "", file = "", ...more] = path.split("/");
  if (more.length > 0 || !/^[\w.-]+$/.test(file) || !/^[\w-]+$/.test(server)) return false;
  if (folder === "manifests") {
    if (server === "upstreams") return kind === "mcp" && file === `${name}.yaml`;
    return file.endsWith(".yaml") && !["policies", "parameters", "workflows"].includes(server);
  }
  return folder === "tools" && (file.endsWith(".ts") || file.endsWith(".recording.yaml"));
}
