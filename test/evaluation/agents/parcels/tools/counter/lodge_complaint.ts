import type { Handler } from "cairn-gitops/host-api";

// The complaint is kept as it came; people read it.
const lodgeComplaint: Handler<{ parcel_no: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["complaint", input.parcel_no]);
  const complaint_no = `B-${input.parcel_no}-${earlier.length + 1}`;
  await ctx.state.set(["complaint", input.parcel_no, complaint_no], input);
  return { complaint_no };
};

export default lodgeComplaint;
