import type { Handler } from "cairn-gitops/host-api";

const issueVoucher: Handler<{ euros: number }> = async (input, ctx) => {
  const voucher_code = `V-${String(100_000 + Math.floor(ctx.random() * 900_000))}`;
  await ctx.state.set(["voucher", voucher_code], input);
  return { voucher_code };
};

export default issueVoucher;
