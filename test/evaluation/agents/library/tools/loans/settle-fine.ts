import type { Handler } from "cairn-gitops/host-api";
import { digits } from "../_lib/stock.ts";

interface Input {
  card: string;
  euros: number;
  letOff: boolean;
}

const settleFine: Handler<Input> = async (input, ctx) => {
  const owed = (await ctx.state.get<number>(["owed", input.card])) ?? 0;
  const cap = Number(ctx.params["house-rules"]?.["feeCap"] ?? 15);
  const open = input.letOff ? 0 : Math.max(0, Math.min(owed, cap) - input.euros);
  await ctx.state.set(["owed", input.card], open);
  return { receipt: `F-${digits(input.card)}`, open };
};

export default settleFine;
