import type { Handler } from "cairn-gitops/host-api";

const planRehearsal: Handler<{ room_no: string; day: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["rehearsal", input.room_no, input.day]);
  const rehearsal_no = `R-${input.room_no.replace("-", "")}-${input.day.replaceAll("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["rehearsal", input.room_no, input.day, rehearsal_no], input);
  return { rehearsal_no, clashes: earlier.length };
};

export default planRehearsal;
