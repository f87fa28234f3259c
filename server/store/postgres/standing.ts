import pg from "pg";
import { CairnError } from "../../errors.ts";
import type { Query } from "./connection.ts";
import { type Lease, readHolder, toTakenOver } from "./lease.ts";
import { UNDEFINED_TABLE } from "./schema.ts";
import { STATEMENTS } from "./statements.ts";
import { TURNS_KEPT_MS } from "./turns.ts";

/** Milliseconds for which a transaction of another node is asked for: long before that node throws it away. */
const READ_TURN_MS = TURNS_KEPT_MS / 2;

/** Standing of this opening with its database: what it has been promised, and whether it may go on. */
export interface Standing {
  /** Looks at the server behind a new connection. Rejects for one that takes no writes, and for ever where `refuse` was called. */
  greet(query: Query): Promise<void>;
  /** Remembers a transaction that the server acknowledged. */
  acknowledge(turn: string): void;
  /** The last transaction that was acknowledged. */
  lastTurn(): string | undefined;
  /** Remembers a transaction of another node that this one has read. */
  notice(turn: string): void;
  /** The last transactions that were acknowledged and read: who writes nothing must notice as well that what it has read is gone. */
  knownTurns(): readonly string[];
  /** Looks whether the database still has them: another may have been put in its place behind an open connection. @throws CairnError */
  assertKept(count: number, turns: readonly string[]): void;
  /** From now on this opening holds the lease. */
  hold(): void;
  /** Ends the use of the database for good, loudly. */
  refuse(error: CairnError): CairnError;
  /** @throws CairnError where it may not go on */
  assertGood(): void;
}

/** Creates the standing of the opening `holder`; without a lease, of one that only looks. */
export function createStanding(
  onAlarm: (message: string) => void,
  own?: { readonly holder: string; readonly lease: Pick<Lease, "find">; readonly elapsed: () => number },
): Standing {
  let turn: string | undefined;
  let read: { readonly turn: string; readonly at: number } | undefined;
  let isHolding = false;
  let refusal: CairnError | undefined;

  function refuse(error: CairnError): CairnError {
    if (refusal === undefined) onAlarm(error.message);
    return (refusal ??= error);
  }

  const isYoung = (at: number) => own !== undefined && own.elapsed() - at < READ_TURN_MS;

  function knownTurns(): readonly string[] {
    const known = [turn, read !== undefined && isYoung(read.at) ? read.turn : undefined];
    // A transaction of this node is read as well where its answer takes longer than a look.
    return [...new Set(known.filter((one) => one !== undefined))];
  }

  async function hasKept(query: Query, turns: readonly string[]): Promise<boolean> {
    try {
      const { rows } = await query(STATEMENTS.findTurns, [turns]);
      return rows.length === turns.length;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return false;
      throw error;
    }
  }

  return Object.freeze({
    async greet(query: Query) {
      const { rows } = await query(STATEMENTS.isReadOnly);
      // Not a CairnError: another server may answer at the address in a moment.
      if (Object.values(rows[0] ?? {})[0] !== "off") throw new Error("the server is in recovery or takes no writes");
      const turns = knownTurns();
      if (turns.length > 0 && !(await hasKept(query, turns))) throw refuse(toLost());
      if (!isHolding || own === undefined) return;
      const found = readHolder(await own.lease.find(query));
      if (found?.holder !== own.holder) throw refuse(toTakenOver(found?.label));
    },
    acknowledge: (next: string) => void (turn = next),
    lastTurn: () => turn,
    notice: (next: string) => void (read = { turn: next, at: own?.elapsed() ?? 0 }),
    knownTurns,
    assertKept(count: number, turns: readonly string[]) {
      if (count !== turns.length) throw refuse(toLost());
    },
    hold: () => void (isHolding = true),
    refuse,
    assertGood() {
      if (refusal !== undefined) throw refusal;
    },
  });
}

function toLost(): CairnError {
  return new CairnError(
    "UNAVAILABLE",
    "The database of the store lost writes that it had acknowledged. This service answers nothing more until its " +
      "operators look what became of the database (a failover to a standby that lagged, an older backup), and restart it.",
  );
}
