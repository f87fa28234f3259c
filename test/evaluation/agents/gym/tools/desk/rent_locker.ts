import type { Handler } from "cairn-gitops/host-api";

interface Input {
  room: string;
  size: string;
  months: number;
}

/** How many small lockers one of that size is worth. */
const WORTH: Readonly<Record<string, number>> = { small: 1, tall: 1.5, double: 2 };

const rentLocker: Handler<Input> = async (input, ctx) => {
  const { locker_rate = 6 } = ctx.params["fee_book"] ?? {};
  const rented = await ctx.state.scan(["locker", input.room]);
  const locker_no = `L-${input.room}-${rented.length + 1}`;
  await ctx.state.set(["locker", input.room, locker_no], input);
  return { locker_no, rent: Math.round(Number(locker_rate) * (WORTH[input.size] ?? 1) * input.months * 100) / 100 };
};

export default rentLocker;
