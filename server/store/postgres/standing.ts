import pg from "pg";
import { CairnError } from "../../errors.ts";
import type { Answer, Query } from "./connection.ts";
import { type Lease, readHolder, toTakenOver } from "./lease.ts";
import { UNDEFINED_TABLE } from "./schema.ts";
import { STATEMENTS } from "./statements.ts";

/** Standing of this opening with its database: what it has been promised, and whether it may go on. */
export interface Standing {
  /** Looks at the server behind a new connection. Rejects for one that takes no writes, and for ever where `refuse` was called. */
  greet(query: Query): Promise<void>;
  /** Remembers a transaction that the server acknowledged. */
  acknowledge(turn: string): void;
  /** The last transaction that was acknowledged. */
  lastTurn(): string | undefined;
  /** Looks whether the database still has it: another may have been put in its place behind an open connection. @throws CairnError */
  assertKept(found: Answer): void;
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
  own?: { readonly holder: string; readonly lease: Pick<Lease, "find"> },
): Standing {
  let turn: string | undefined;
  let isHolding = false;
  let refusal: CairnError | undefined;

  function refuse(error: CairnError): CairnError {
    if (refusal === undefined) onAlarm(error.message);
    return (refusal ??= error);
  }

  const isKept = ({ rows }: Answer) => rows[0]?.["happened"] === true;

  async function isKnown(query: Query, last: string): Promise<boolean> {
    try {
      return isKept(await query(STATEMENTS.findTurn, [last]));
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
      if (turn !== undefined && !(await isKnown(query, turn))) throw refuse(toLost());
      if (!isHolding || own === undefined) return;
      const found = readHolder(await own.lease.find(query));
      if (found?.holder !== own.holder) throw refuse(toTakenOver(found?.label));
    },
    acknowledge: (next: string) => void (turn = next),
    lastTurn: () => turn,
    assertKept(found: Answer) {
      if (!isKept(found)) throw refuse(toLost());
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
    "The database of the store lost writes that it had acknowledged, so this service must not go on with what it " +
      "knows. Look what became of the database (a failover to a standby that lagged, an older backup), then restart the service.",
  );
}
