import type { Handler } from "cairn-gitops/host-api";

const FEE = 15;

const cancelPickup: Handler<{ pickup_id: string; reason?: string; waive_fee?: boolean }> = async (input, ctx) => {
  const key = ["pickup", input.pickup_id];
  const pickup = await ctx.state.get<{ status: string }>(key);
  if (pickup === undefined) throw ctx.fail("NOT_FOUND", `There is no pickup ${input.pickup_id}.`);
  if (pickup.status === "cancelled") return { cancelled: true, fee: 0 };
  await ctx.state.set(key, { ...pickup, status: "cancelled", reason: input.reason ?? "other" });
  return { cancelled: true, fee: input.waive_fee === true ? 0 : FEE };
};

export default cancelPickup;
