import type { Handler } from "cairn-gitops/host-api";

interface Input {
  event_date: string;
  guests: number;
  service: string;
  deposit_paid: boolean;
}

/** Euros a head; what is not listed costs as much as a buffet. */
const HEAD: Readonly<Record<string, number>> = { buffet: 24, plated: 36, drop_off: 15 };

// The whole order is kept, so the brigade sees everything that was asked for.
const takeOrder: Handler<Input> = async (input, ctx) => {
  const day = input.event_date.replaceAll("-", "");
  const earlier = await ctx.state.scan(["event", day]);
  const order_no = `O-${day}-${earlier.length + 1}`;
  await ctx.state.set(["event", day, order_no], input);
  await ctx.state.set(["order", order_no], input);
  const deposit = Math.round(((HEAD[input.service] ?? 24) * input.guests) / 3);
  return { order_no, status: input.deposit_paid ? "booked" : "pencilled", deposit };
};

export default takeOrder;
