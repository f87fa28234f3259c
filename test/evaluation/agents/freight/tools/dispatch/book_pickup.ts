import type { Handler } from "cairn-gitops/host-api";

interface Input {
  quote_id: string;
  date: string;
  pallets: number;
}

/** What fits into the biggest van of the house. */
const VAN = 12;

const bookPickup: Handler<Input> = async (input, ctx) => {
  const pickup_id = `P-${String(Math.floor(ctx.random() * 1_000_000)).padStart(6, "0")}`;
  const status = (input.pallets ?? 0) > VAN ? "waiting" : "booked";
  await ctx.state.set(["pickup", pickup_id], { ...input, status });
  return { pickup_id, status, reminder_minutes: Number(ctx.params["pickups"]?.["reminder_minutes"] ?? 45) };
};

export default bookPickup;
