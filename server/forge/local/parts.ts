import type { CheckRun, ChangeStatus } from "../forge.ts";
import { toChecks } from "../to-checks.ts";
import type { ChangeBook } from "./change-book.ts";
import type { CheckBook } from "./check-book.ts";
import type { LocalRepository } from "./local-repository.ts";

/** The parts of a local forge. */
export interface Parts {
  readonly repository: LocalRepository;
  readonly changes: ChangeBook;
  readonly checks: CheckBook;
  readonly required: readonly string[];
}

export async function readChecks(
  { checks, required }: Parts,
  head: string,
): Promise<{ readonly runs: readonly CheckRun[]; readonly checks: ChangeStatus["checks"] }> {
  const runs = await checks.read(head);
  return { runs, checks: toChecks(required, runs) };
}
