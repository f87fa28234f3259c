import type { Program } from "../../versions/version.ts";
import type { LossReason, Offender, ToolFacts } from "./sandbox.ts";

/** Milliseconds for which a first strike confines. Each further one doubles them, up to the last that counts. */
const FIRST_TERM = 10_000;
const MAX_STRIKES = 7;
/** Milliseconds without a strike after which all are forgotten. Longer than the longest term: who waits it out is known. */
const MEMORY = 3_600_000;
/** Offenders that are remembered; the one that struck longest ago makes room for another. */
const MAX_OFFENDERS = 1_000;
/** Calls that must have ended well, since the last strike, for somebody to be trusted; and how many's are remembered. */
const TRUSTED_FROM = 100;
const MAX_RECORDS = 1_000;

/**
 * Offenders: versions that lately took down isolates of a shared process. A version's handlers are judged for each tenant
 * separately: they run in isolates of that tenant only, and one tenant's callers must not be able to slow down another
 * tenant's calls.
 */
export interface Offenders {
  strike(program: Program, tool: ToolFacts | undefined, reason: LossReason): Offender;
  /** True while its calls must not run beside others. */
  isConfined(program: Program): boolean;
  /** Notes calls of it that ended by themselves, in an isolate that is no more. */
  note(program: Program, completed: number): void;
  /** True when it has behaved for long. */
  isTrusted(program: Program): boolean;
  /** Those that are confined now. */
  list(): readonly Offender[];
  /** Strikes since the start, by their reason. */
  readonly strikes: Readonly<Record<LossReason, number>>;
}

interface Entry {
  readonly offender: Omit<Offender, "left">;
  readonly at: number;
  readonly until: number;
}

/** `elapsed` is milliseconds by a clock that nobody can set. */
export function createOffenders(elapsed: () => number): Offenders {
  /** By the programs' owners, in the order of their last strikes. */
  const entries = new Map<string, Entry>();
  /** Calls by the programs' owners, the one noted longest ago first. */
  const records = new Map<string, number>();
  const strikes: Record<LossReason, number> = { cpu: 0, memory: 0, clock: 0, silence: 0, crash: 0 };

  return {
    strikes,
    strike(program, tool, reason) {
      const key = ownerOf(program);
      const { tenant } = program;
      strikes[reason] += 1;
      records.delete(key);
      const at = elapsed();
      const known = entries.get(key);
      const before = known === undefined || at - known.at > MEMORY ? 0 : known.offender.strikes;
      const count = Math.min(MAX_STRIKES, before + 1);
      const names = tool === undefined ? {} : { tool: tool.name, version: tool.version, commit: tool.commit };
      const offender = { ...(tenant === undefined ? {} : { tenant }), ...names, reason, strikes: count };
      entries.delete(key);
      const term = FIRST_TERM * 2 ** (count - 1);
      entries.set(key, { offender, at, until: at + term });
      makeRoom(entries, MAX_OFFENDERS);
      return { ...offender, left: term };
    },
    isConfined(program) {
      if (entries.size === 0) return false;
      const entry = entries.get(ownerOf(program));
      return entry !== undefined && elapsed() < entry.until;
    },
    note(program, completed) {
      const key = ownerOf(program);
      const calls = (records.get(key) ?? 0) + completed;
      records.delete(key);
      records.set(key, calls);
      makeRoom(records, MAX_RECORDS);
    },
    isTrusted: (program) => (records.get(ownerOf(program)) ?? 0) >= TRUSTED_FROM,
    list() {
      const at = elapsed();
      return [...entries.values()]
        .filter(({ until }) => at < until)
        .map(({ offender, until }) => ({ ...offender, left: until - at }));
    },
  };
}

function makeRoom(table: Map<string, unknown>, most: number): void {
  const [first] = table.keys();
  if (table.size > most && first !== undefined) table.delete(first);
}

/** The key under which programs are confined together. */
export function ownerOf({ owner, key }: Program): string {
  return owner ?? key;
}
