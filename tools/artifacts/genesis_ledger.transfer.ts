import type { Handler } from "../../server/host-api.ts";
import { callGenesis } from "../_lib/artifacts/run-genesis.ts";

const genesisLedgerTransfer: Handler<Readonly<Record<string, unknown>>> = (input, ctx) =>
  callGenesis(ctx, "genesis_ledger", "transfer", input);

export default genesisLedgerTransfer;
