import { toRfc3339 } from "../time/to-rfc3339.ts";
import type { Awaiting, LastCall, Reply } from "./reply.ts";
import type { Arguments } from "../fill/draft.ts";

interface Turn {
  /** RFC 3339. */
  readonly at: string;
  readonly message: string;
  readonly reply: string;
  readonly tool?: string;
  readonly arguments?: Arguments;
}

/** Summary of dropped turns. */
interface Summary {
  readonly turns: number;
  /** Time of the first of them. */
  readonly since: string;
  /** Number of uses in them, by tool. */
  readonly tools: Readonly<Record<string, number>>;
  /**
   * Excerpts of the newest of them, a line each: the beginnings of the message and of the reply. Older sessions have
   * none.
   */
  readonly said?: readonly string[];
}

/** All that a conversation remembers. */
export interface Memory {
  /** The beginning of its first message. */
  readonly title?: string;
  readonly turns: readonly Turn[];
  readonly summary?: Summary;
  readonly flags: { readonly awaiting?: Awaiting };
  readonly last?: LastCall;
}

const TURN_LIMIT = 50;
/** Bytes of JSON for all turns; the session may hold 256 KiB, and the last call and an open question need some of it. */
const TURNS_LIMIT = 160 * 1024;
/** Bytes of all lines of a summary; the oldest go first. */
const SAID_LIMIT = 16 * 1024;
/** Characters of a title, and of a message and of a reply in a line of a summary. */
const BRIEF_LIMIT = 100;
/** Characters kept of a message and of a reply. */
const TEXT_LIMIT = 1_000;
/** Characters of JSON up to which arguments are kept, in a turn and as the call that a follow-up may change. */
const ARGUMENTS_LIMIT = 4_000;

export const EMPTY: Memory = Object.freeze({ turns: [], flags: {} });

/** The memory as the session holds it; a session is only written by this code, at the same commit. */
export function readMemory(value: unknown): Memory {
  return isMemory(value) ? value : EMPTY;
}

export interface Event {
  readonly now: number;
  readonly message: string;
  readonly reply: Reply;
  readonly awaiting?: Awaiting | undefined;
  readonly last?: LastCall | undefined;
}

/** The memory after one more turn. */
export function remember(memory: Memory, { now, message, reply, awaiting, last = memory.last }: Event): Memory {
  const { tool, arguments: values } = reply;
  const turn: Turn = {
    at: toRfc3339(now),
    message: shorten(message),
    reply: shorten(reply.text),
    ...(tool === undefined ? {} : { tool }),
    ...(values === undefined || isLong(values) ? {} : { arguments: values }),
  };
  const all = [...memory.turns, turn];
  const kept = countKept(all);
  const summary = all.slice(0, all.length - kept).reduce(summarise, memory.summary);
  return {
    title: memory.title ?? toBeginning(all[0]?.message ?? message),
    turns: all.slice(all.length - kept),
    ...(summary ? { summary } : {}),
    flags: awaiting ? { awaiting } : {},
    ...(last && !isLong(last.arguments) ? { last } : {}),
  };
}

/** Counts the newest turns that fit. */
function countKept(turns: readonly Turn[]): number {
  let bytes = 0;
  const newest = turns.slice(-TURN_LIMIT).toReversed();
  const tooMany = newest.findIndex((turn) => {
    bytes += countBytes(JSON.stringify(turn));
    return bytes > TURNS_LIMIT;
  });
  return tooMany < 0 ? newest.length : tooMany;
}

/** Length of well-formed text in UTF-8. */
function countBytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function isLong(values: Arguments): boolean {
  return JSON.stringify(values).length > ARGUMENTS_LIMIT;
}

function summarise(summary: Summary | undefined, { at, tool, message, reply }: Turn): Summary {
  const { turns, since, tools, said = [] } = summary ?? { turns: 0, since: at, tools: {} };
  return {
    turns: turns + 1,
    since,
    tools: tool === undefined ? tools : { ...tools, [tool]: (tools[tool] ?? 0) + 1 },
    said: keepNewest([...said, `${toBeginning(message)} -> ${toBeginning(reply)}`], SAID_LIMIT),
  };
}

/** The newest of these texts that fit into so many bytes of JSON. */
function keepNewest(texts: readonly string[], limit: number): readonly string[] {
  let bytes = 0;
  const tooMany = texts.toReversed().findIndex((text) => (bytes += countBytes(JSON.stringify(text)) + 1) > limit);
  return tooMany < 0 ? texts : texts.slice(texts.length - tooMany);
}

/** A text's beginning, on one line. */
function toBeginning(text: string): string {
  return shorten(text.replaceAll(/\s+/g, " "), BRIEF_LIMIT);
}

/** At most `limit` characters, never ending in half of one. */
function shorten(text: string, limit = TEXT_LIMIT): string {
  return text.length > limit
    ? `${text
        .slice(0, limit)
        .toWellFormed()
        .replace(/\uFFFD$/, "")}…`
    : text.toWellFormed();
}

function isMemory(value: unknown): value is Memory {
  return (
    typeof value === "object" && value !== null && "turns" in value && Array.isArray(value.turns) && "flags" in value
  );
}
