import type { Handler } from "../../server/host-api.ts";
import { callGenesis } from "../_lib/artifacts/run-genesis.ts";

const genesisLedgerHistory: Handler<Readonly<Record<string, unknown>>> = (input, ctx) =>
  callGenesis(ctx, "genesis_ledger", "history", input);

export default genesisLedgerHistory;
