import type { Handler } from "../../server/host-api.ts";
import { callGenesis } from "../_lib/artifacts/run-genesis.ts";

const genesisLedgerGetBalance: Handler<Readonly<Record<string, unknown>>> = (input, ctx) =>
  callGenesis(ctx, "genesis_ledger", "get_balance", input);

export default genesisLedgerGetBalance;
