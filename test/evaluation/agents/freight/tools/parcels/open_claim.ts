import type { Handler } from "cairn-gitops/host-api";
import { PARCELS } from "../_lib/parcels.ts";

const openClaim: Handler<{ tracking_no: string }> = async (input, ctx) => {
  if (PARCELS[input.tracking_no] === undefined) throw ctx.fail("NOT_FOUND", `There is no parcel ${input.tracking_no}.`);
  const claim_id = `CL-${input.tracking_no}`;
  await ctx.state.set(["claim", claim_id], { ...input, status: "open" });
  return { claim_id };
};

export default openClaim;
