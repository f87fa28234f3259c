import type { Handler } from "../../server/host-api.ts";
import { callGenesis } from "../_lib/artifacts/run-genesis.ts";

const genesisStoreSearch: Handler<Readonly<Record<string, unknown>>> = (input, ctx) =>
  callGenesis(ctx, "genesis_store", "search", input);

export default genesisStoreSearch;
