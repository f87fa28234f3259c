import type { Handler } from "../../server/host-api.ts";
import { callGenesis } from "../_lib/artifacts/run-genesis.ts";

const genesisStoreGetInterface: Handler<Readonly<Record<string, unknown>>> = (input, ctx) =>
  callGenesis(ctx, "genesis_store", "get_interface", input);

export default genesisStoreGetInterface;
