import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

export const AGENTS = ["shop", "tickets", "farm"] as const;
/** Agents of authors who came later and saw no other message; theirs are in feedback/newcomers. */
export const NEWCOMERS = ["clinic", "freight", "library"] as const;
/** Agents that came with plain messages (feedback/neighbours, feedback/guests, feedback/travellers and feedback/lodgers). */
export const HOSTS = [
  "school",
  "museum",
  "marina",
  "theatre",
  "orchard",
  "observatory",
  "brewery",
  "airfield",
  "ferry",
  "kitchen",
  "railway",
  "gym",
  "parcels",
  "garden",
] as const;
export const PARTS = ["development", "report"] as const;

type Outcome = "change" | "approve" | "tune" | "ask" | "reject";

/** A sentence about one file of an agent's repository, as it is after the change. */
export interface FileCheck {
  readonly file: string;
  /** A JSON Pointer into the parsed YAML; empty for the file itself. */
  readonly path: string;
  readonly op: "equals" | "includes" | "excludes" | "absent" | "present" | "matches";
  readonly value?: unknown;
  /** The change makes the file; it is not there before. */
  readonly new?: true;
}

/** Which arm of which experiment everybody is given. */
interface TuneCheck {
  readonly tune: { readonly experiment: string; readonly arm: string };
}

export type Check = FileCheck | TuneCheck;

export interface FeedbackMessage {
  readonly id: string;
  readonly family: string;
  readonly language: string;
  readonly message: string;
  readonly expected: Outcome;
  readonly accept: readonly Outcome[];
  readonly checks: readonly Check[];
  readonly kind?: string;
  /** Other readings that an answer which asks back offers as well. */
  readonly others?: readonly (readonly Check[])[];
  /** Files, or `file#/pointer`, that may change besides what the checks name. */
  readonly also?: readonly string[];
  readonly part: (typeof PARTS)[number];
}

/** The values along a JSON Pointer, the document first; they end with undefined where nothing is there. */
export function walk(document: unknown, path: string): readonly unknown[] {
  const values = [document];
  for (const key of path.split("/").slice(1)) {
    const above = values.at(-1);
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    values.push(
      typeof above === "object" && above !== null ? Object.entries(above).find(([k]) => k === name)?.[1] : undefined,
    );
  }
  return values;
}

/** Whether a check holds for a document; undefined stands for a file that is not there. */
export function holds(document: unknown, { path, op, value }: FileCheck): boolean {
  const found = walk(document, path).at(-1);
  switch (op) {
    case "equals":
      return isDeepStrictEqual(found, value);
    case "includes":
      return includes(found, value);
    case "excludes":
      return !includes(found, value);
    case "absent":
      return found === undefined;
    case "present":
      return found !== undefined;
    case "matches":
      return typeof found === "string" && new RegExp(String(value), "iu").test(found);
  }
}

/** A text that is part of another, or an element of an array that has all that is asked for. */
function includes(found: unknown, value: unknown): boolean {
  if (typeof found === "string") return typeof value === "string" && found.includes(value);
  return Array.isArray(found) && found.some((element) => covers(element, value));
}

function covers(found: unknown, value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return isDeepStrictEqual(found, value);
  return Object.entries(value).every(([key, wanted]) => covers(walk(found, `/${key}`)[1], wanted));
}

/** A message to the chat, with what should come of it. */
export interface ChatMessage {
  readonly id: string;
  readonly family: string;
  readonly language: string;
  readonly message: string;
  readonly expected: {
    readonly target: string | null;
    readonly input: { readonly location?: readonly string[]; readonly when?: unknown; readonly units?: string };
    readonly behaviour: string;
    readonly mustMention?: readonly string[];
    readonly mustNot?: readonly string[];
  };
  readonly accept?: readonly string[];
  readonly now: string;
  readonly part: string;
}

/** The messages to an agent, of one half of its set. */
export async function loadFeedback(agent: string, part: string): Promise<readonly FeedbackMessage[]> {
  const set = NEWCOMERS.some((one) => one === agent) ? "newcomers" : "";
  const text = await readFile(join(import.meta.dirname, "feedback", set, part, `${agent}.json`), "utf8");
  const { messages }: { messages: FeedbackMessage[] } = JSON.parse(text);
  return messages;
}
