import type { Handler } from "cairn-gitops/host-api";

const reportJam: Handler<{ locker_no: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["jam", input.locker_no]);
  const jam_no = `J-${input.locker_no.replace("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["jam", input.locker_no, jam_no], input);
  return { jam_no };
};

export default reportJam;
