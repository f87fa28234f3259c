import type { Handler } from "cairn-gitops/host-api";

const BOXES_A_DAY = 30;

const holdBox: Handler<{ pickup_day: string }> = async (input, ctx) => {
  const held = await ctx.state.scan(["box", input.pickup_day]);
  const box_no = `X-${input.pickup_day.replaceAll("-", "")}-${held.length + 1}`;
  await ctx.state.set(["box", input.pickup_day, box_no], input);
  return { box_no, status: held.length < BOXES_A_DAY ? "held" : "waiting_list" };
};

export default holdBox;
