import type { Handler } from "../../server/host-api.ts";
import { toLayer } from "../_lib/artifacts/layer.ts";
import { issue } from "../_lib/artifacts/ledger.ts";

const ledgerIssue: Handler<{ readonly to: string; readonly amount: number }> = async ({ to, amount }, ctx) => {
  const { balances } = await issue(ctx, toLayer(ctx), { to, amount });
  return { to, amount, balance: balances.to, treasury: balances.from };
};

export default ledgerIssue;
