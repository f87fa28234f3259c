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
  /** What a YAML file holds at a place by now. */
  find(path: string, at: Path): Promise<Json | undefined>;
  /** Whole files; `null` deletes. What is written twice has to be the same. */
  write(path: string, text: string | null): Promise<void>;
  /** These four tell whether that changed the file. */
  set(path: string, at: Path, value: Json): Promise<boolean>;
  remove(path: string, at: Path): Promise<boolean>;
  /** Puts a value at the end of a list that does not have it. */
  addItem(path: string, at: Path, value: Json): Promise<boolean>;
  /** Takes a value out of a list. */
  removeItem(path: string, at: Path, value: Json): Promise<boolean>;
  /** Changes what follows from something else, so that it contradicts nothing. */
  adapt(path: string, edit: Parameters<typeof editYaml>[1]): Promise<void>;
  /** Says that something is to be so; rejects when something else was to be so before. False: it was said already. */
  claim(what: string, value: string): boolean;
  say(change: string): void;
  need(level: Level): void;
  support(evidence: Json): void;
  adjust(adjustment: Adjustment): void;
  /** Whether anything would be other than it is. */
  hasChanges(): boolean;
  toPlan(): ChangePlan | TunePlan;
}

const TITLE = 100;
const GONE = "taken away";

export function createBench(ground: Ground): Bench {
  const files = new Map<string, string | null>();
  const before = new Map<string, string | undefined>();
  const claims = new Map<string, string>();
  const changes: string[] = [];
  const adjustments: Adjustment[] = [];
  let level: Level = "none";
  let evidence: Json | undefined;

  const bench: Bench = {
    ground,
    read,
    async find(path, at) {
      return findIn(parse(await require(path)), at);
    },
    async write(path, text) {
      checkPlanPath(path);
      if (!bench.claim(path, text ?? GONE)) return;
      put(path, await read(path), text);
    },
    async set(path, at, value) {
      if (!bench.claim(path + toPointer(at), canonicalJson(value))) return false;
      const old = await bench.find(path, at);
      if (old !== undefined && same(old, value)) return false;
      await bench.adapt(path, { kind: "set", path: at, value });
      return true;
    },
    async remove(path, at) {
      if (!bench.claim(path + toPointer(at), GONE)) return false;
      await bench.adapt(path, { kind: "remove", path: at });
      return true;
    },
    async addItem(path, at, value) {
      if (!bench.claim(`${path}${toPointer(at)}/=${canonicalJson(value)}`, "put there")) return false;
      const list = await listAt(path, at);
      if (list.some((item) => same(item, value))) return false;
      await bench.adapt(path, { kind: "insert", path: [...at, list.length], value });
      return true;
    },
    async removeItem(path, at, value) {
      if (!bench.claim(`${path}${toPointer(at)}/=${canonicalJson(value)}`, GONE)) return false;
      const place = (await listAt(path, at)).findIndex((item) => same(item, value));
      if (place < 0) return false;
      await bench.adapt(path, { kind: "remove", path: [...at, place] });
      return true;
    },
    async adapt(path, edit) {
      checkPlanPath(path);
      const text = await require(path);
      try {
        put(path, text, editYaml(text, edit));
      } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        throw refuse(
          `\`${path}\` cannot be changed like this: ${error.message}`,
          "Attach a unified diff of the change.",
        );
      }
    },
    claim(what, value) {
      for (const [other, said] of claims) {
        const isWithin = what.startsWith(`${other}/`) || other.startsWith(`${what}/`);
        const contradicts = other === what ? said !== value : isWithin && (said === GONE || value === GONE);
        if (contradicts) throw contradiction(what, [said, value]);
      }
      const isNew = !claims.has(what);
      claims.set(what, value);
      return isNew;
    },
    say: (change) => void (changes.includes(change) || changes.push(change)),
    need: (needed) => void (level = largest([level, needed])),
    support: (found) => void (evidence = found),
    adjust(adjustment) {
      if (bench.claim(toSubject(adjustment), canonicalJson(adjustment))) adjustments.push(adjustment);
    },
    hasChanges: () => files.size > 0 || adjustments.length > 0,
    toPlan,
  };
  return Object.freeze(bench);

  async function read(path: string): Promise<string | undefined> {
    if (files.has(path)) return files.get(path) ?? undefined;
    return ground.readText(path);
  }

  async function require(path: string): Promise<string> {
    const text = await read(path);
    if (text === undefined) throw refuse(`There is no file \`${path}\` of text.`, "Name a file of this version.");
    return text;
  }

  async function listAt(path: string, at: Path): Promise<readonly Json[]> {
    const list = await bench.find(path, at);
    return Array.isArray(list) ? list : [];
  }

  function put(path: string, old: string | undefined, text: string | null): void {
    if (!before.has(path)) before.set(path, old);
    if ((before.get(path) ?? null) === text) files.delete(path);
    else files.set(path, text);
  }

  function toPlan(): ChangePlan | TunePlan {
    if (adjustments.length > 0 && files.size > 0) {
      const reason =
        "A part of this changes files, which takes a commit, and another part only tunes what is served now.";
      throw refuse(reason, "Send the two parts as messages of their own.");
    }
    if (adjustments.length > 0) return { kind: "tune", adjustments };
    if (!bench.hasChanges()) {
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
      ...(evidence === undefined ? {} : { evidence }),
    };
  }
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
