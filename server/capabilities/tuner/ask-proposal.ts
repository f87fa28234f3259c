import type { Store } from "../../store/store.ts";
import { propose } from "./actions/propose.ts";
import type { Desk } from "./actions/desk.ts";

/** Asker of a proposal, and what it reads with. */
export interface ProposalOptions extends Pick<
  Desk,
  "version" | "tenant" | "actor" | "callId" | "now" | "ledgers" | "settled"
> {
  readonly store: Pick<Store, "get">;
}

/** Reads what tuning proposes for an experiment, outside of any transaction. Rejects as `propose` does. */
export function askProposal({ store, ...place }: ProposalOptions, experiment: string): ReturnType<typeof propose> {
  const readOnly = () => {
    throw new TypeError("A plan writes nothing.");
  };
  const get: Desk["get"] = async (key) => (await store.get(key))?.value;
  return propose({ ...place, get, set: readOnly, append: readOnly }, { experiment });
}
