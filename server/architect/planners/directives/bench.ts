import { defined } from "../../../json/defined.ts";
import { canonicalJson } from "../../../json/canonical-json.ts";
import { CairnError } from "../../../errors.ts";
import { type Level, largest } from "../../../semver/level.ts";
import type { Json } from "../../../store/store.ts";
import { parse } from "yaml";
import { findIn, type Path } from "../../edit/edit-json.ts";
import { toPointer } from "../../../json/pointer.ts";
import { editYaml } from "../../edit/edit-yaml.ts";
import type { Adjustment, ChangePlan, TunePlan } from "../plan.ts";
import type { Ground } from "../planner.ts";
import { refuse } from "../../guard/refuse.ts";
import { checkPlanPath } from "./check-plan-path.ts";

/** A plan in the making: files as they have become so far, and what is said of it. */
export interface Bench {
  readonly ground: Ground;
  /** The text of a file as it is by now. */
  read(path: string): Promise<string | undefined>;
  /** Finds the present value at a place in a YAML file. */
  find(path: string, at: Path): Promise<Json | undefined>;
  /** Whole files; `null` deletes. What is written twice has to be the same. */
  write(path: string, text: string | null): Promise<void>;
  /** These four tell whether that changed the file. */
  set(path: string, at: Path, value: Json): Promise<boolean>;
  remove(path: string, at: Path): Promise<boolean>;
  /** Puts a value at the end of a list that does not have it, or begins the list with it. */
  addItem(path: string, at: Path, value: Json): Promise<boolean>;
  /** Takes a value out of a list. */
  removeItem(path: string, at: Path, value: Json): Promise<boolean>;
  /** Changes what follows from something else, so that it contradicts nothing. */
  adapt(path: string, edit: Parameters<typeof editYaml>[1]): Promise<void>;
  say(change: string): void;
  need(level: Level): void;
  support(evidence: Json): void;
  adjust(adjustment: Adjustment): void;
  /** Checks that some file would change. */
  hasChanges(): boolean;
  toPlan(): ChangePlan | TunePlan;
}

const TITLE = 100;
const GONE = "taken away";
/** The YAML files of each ground by path. */
const parsed = new WeakMap<Ground, Map<string, { readonly text: string; readonly value: Json }>>();

/** A plan in the making. */
interface Draft {
  readonly ground: Ground;
  /** Files as they would become, and as they are. */
  readonly files: Map<string, string | null>;
  readonly before: Map<string, string | undefined>;
  readonly claims: Map<string, string>;
  readonly changes: string[];
  readonly adjustments: Adjustment[];
  level: Level;
  evidence: Json | undefined;
}

/** Begins a plan on the files of a commit. */
export function createBench(ground: Ground): Bench {
  const draft: Draft = {
    ground,
    files: new Map(),
    before: new Map(),
    claims: new Map(),
    changes: [],
    adjustments: [],
    level: "none",
    evidence: undefined,
  };
  return Object.freeze<Bench>({
    ground,
    read: (path) => read(draft, path),
    find: (path, at) => find(draft, path, at),
    write: (path, text) => write(draft, path, text),
    set: (path, at, value) => set(draft, path, at, value),
    remove: (path, at) => remove(draft, path, at),
    addItem: (path, at, value) => addItem(draft, path, at, value),
    removeItem: (path, at, value) => removeItem(draft, path, at, value),
    adapt: (path, edit) => adapt(draft, path, edit),
    say: (change) => void (draft.changes.includes(change) || draft.changes.push(change)),
    need: (needed) => void (draft.level = largest([draft.level, needed])),
    support: (found) => void (draft.evidence = found),
    adjust(adjustment) {
      if (claim(draft, toSubject(adjustment), canonicalJson(adjustment))) draft.adjustments.push(adjustment);
    },
    hasChanges: () => hasChanges(draft),
    toPlan: () => toPlan(draft),
  });
}

async function read({ files, ground }: Draft, path: string): Promise<string | undefined> {
  if (files.has(path)) return files.get(path) ?? undefined;
  return ground.readText(path);
}

async function require(draft: Draft, path: string): Promise<string> {
  const text = await read(draft, path);
  if (text === undefined) throw refuse(`There is no file \`${path}\` of text.`, "Name a file of this version.");
  return text;
}

async function find(draft: Draft, path: string, at: Path): Promise<Json | undefined> {
  return findIn(parseOnce(draft.ground, path, await require(draft, path)), at);
}

/** Parses a file, or finds what its text was last parsed to: one wish tries many plans on one ground. */
function parseOnce(ground: Ground, path: string, text: string): Json {
  const files = parsed.get(ground) ?? new Map<string, { text: string; value: Json }>();
  parsed.set(ground, files);
  const known = files.get(path);
  if (known?.text === text) return known.value;
  const value: Json = parse(text);
  files.set(path, { text, value });
  return value;
}

async function listAt(draft: Draft, path: string, at: Path): Promise<readonly Json[]> {
  const list = await find(draft, path, at);
  return Array.isArray(list) ? list : [];
}

function put({ before, files }: Draft, path: string, old: string | undefined, text: string | null): void {
  if (!before.has(path)) before.set(path, old);
  if ((before.get(path) ?? null) === text) files.delete(path);
  else files.set(path, text);
}

async function write(draft: Draft, path: string, text: string | null): Promise<void> {
  checkPlanPath(path);
  if (!claim(draft, path, text ?? GONE)) return;
  put(draft, path, await read(draft, path), text);
}

async function set(draft: Draft, path: string, at: Path, value: Json): Promise<boolean> {
  if (!claim(draft, path + toPointer(at), canonicalJson(value))) return false;
  const old = await find(draft, path, at);
  if (old !== undefined && same(old, value)) return false;
  await adapt(draft, path, { kind: "set", path: at, value });
  return true;
}

async function remove(draft: Draft, path: string, at: Path): Promise<boolean> {
  if (!claim(draft, path + toPointer(at), GONE)) return false;
  await adapt(draft, path, { kind: "remove", path: at });
  return true;
}

async function addItem(draft: Draft, path: string, at: Path, value: Json): Promise<boolean> {
  if (!claim(draft, `${path}${toPointer(at)}/=${canonicalJson(value)}`, "put there")) return false;
  const list = await listAt(draft, path, at);
  if (list.some((item) => same(item, value))) return false;
  if ((await find(draft, path, at)) === undefined) await adapt(draft, path, { kind: "set", path: at, value: [value] });
  else await adapt(draft, path, { kind: "insert", path: [...at, list.length], value });
  return true;
}

async function removeItem(draft: Draft, path: string, at: Path, value: Json): Promise<boolean> {
  if (!claim(draft, `${path}${toPointer(at)}/=${canonicalJson(value)}`, GONE)) return false;
  const place = (await listAt(draft, path, at)).findIndex((item) => same(item, value));
  if (place < 0) return false;
  await adapt(draft, path, { kind: "remove", path: [...at, place] });
  return true;
}

async function adapt(draft: Draft, path: string, edit: Parameters<typeof editYaml>[1]): Promise<void> {
  checkPlanPath(path);
  const text = await require(draft, path);
  try {
    put(draft, path, text, editYaml(text, edit));
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    throw refuse(`\`${path}\` cannot be changed like this: ${error.message}`, "Attach a unified diff of the change.");
  }
}

function claim({ claims }: Draft, what: string, value: string): boolean {
  for (const [other, said] of claims) {
    const isWithin = what.startsWith(`${other}/`) || other.startsWith(`${what}/`);
    const contradicts = other === what ? said !== value : isWithin && (said === GONE || value === GONE);
    if (contradicts) throw contradiction(what, [said, value]);
  }
  const isNew = !claims.has(what);
  claims.set(what, value);
  return isNew;
}

function hasChanges({ files, adjustments }: Draft): boolean {
  return files.size > 0 || adjustments.length > 0;
}

function toPlan(draft: Draft): ChangePlan | TunePlan {
  const { files, adjustments, changes, level, evidence } = draft;
  if (adjustments.length > 0 && files.size > 0) {
    const reason =
      "A part of this changes files, which takes a commit, and another part only tunes what is served now.";
    throw refuse(reason, "Send the two parts as messages of their own.");
  }
  if (adjustments.length > 0) return { kind: "tune", adjustments };
  if (!hasChanges(draft)) {
    throw refuse(
      "This version is like that already, so there is nothing to do.",
      "Say what is to be other than it is.",
    );
  }
  return {
    kind: "change",
    title: toTitle(changes),
    changes,
    files: new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1))),
    ...(level === "none" ? {} : { bump: level }),
    ...defined({ evidence }),
  };
}

function toTitle([first = "Change files", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  // A title shows no code, in which markup is nothing but text.
  const plain = first.replaceAll(/`[^`]*[<>][^`]*`/g, "…").replaceAll("`", "");
  const line = plain.replaceAll(/\s+/g, " ").replace(/\.$/, "");
  const room = TITLE - more.length;
  return (line.length <= room ? line : `${line.slice(0, room - 1)}…`).toWellFormed() + more;
}

function contradiction(what: string, values: readonly string[]): Error {
  const [one, other] = values.map((value) => (value.length > 60 ? `${value.slice(0, 60)}…` : value));
  const reason = `\`${what}\` is to be \`${one}\` and then \`${other}\`: these contradict each other.`;
  return refuse(reason.toWellFormed(), "Which of the two is meant?");
}

function toSubject(adjustment: Adjustment): string {
  switch (adjustment.kind) {
    case "session":
      return `the session ${adjustment.conversationId}`;
    case "state":
      return `the state of ${adjustment.server} at ${canonicalJson(adjustment.key)}`;
    case "undo":
      return `the feedback ${adjustment.id}`;
    default:
      return `the tuning of ${adjustment.experiment}`;
  }
}

function same(one: Json, other: Json): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
