import { showPlace } from "../../capabilities/state/data/place.ts";
import { planTransfer, type Transfer, transfer } from "../../capabilities/state/data/transfer.ts";
import type { ChangeName } from "../../kernel/audit/audit-event.ts";
import { count } from "../../text/count.ts";
import type { CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";
import { createNotes } from "./state-options.ts";

type Wanted = Pick<Transfer, "store" | "source" | "target" | "from" | "removes"> & {
  readonly what: { readonly change: ChangeName; readonly from: string };
};

interface Options {
  readonly overwrite?: boolean | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly actor: string;
}

/** Plans a transfer, says what it is, and does it unless it is a trial. Returns the exit code. */
export async function carryOut(context: CliContext, options: Options, wanted: Wanted): Promise<number> {
  const { out } = context;
  const { what, ...rest } = wanted;
  const { target, removes = false } = rest;
  const toNotes = createNotes(context, options.actor);
  const given = { ...rest, overwrite: options.overwrite === true };
  const { added, replaced, same, appended } = await planTransfer(given);
  const isTrial = options["dry-run"] === true;
  const changes = added + replaced + appended > 0 || (removes && same > 0);
  if (changes && !isTrial) {
    const progress = createProgress(context);
    const notes = toNotes(target, what.change, { from: what.from });
    await transfer({ ...given, notes, onKeys: (keys) => progress(`${keys} keys so far`) });
  }
  const said = [
    `${count(added, "key")} new`,
    `${replaced} replaced`,
    `${same} there already`,
    `${appended} entries appended to the lineage`,
  ];
  out(`${isTrial ? "Without --dry-run, " : ""}\`${showPlace(target)}\`: ${said.join(", ")}.`);
  return EXIT.OK;
}
