import type { Handler } from "cairn-gitops/host-api";

const claimStatus: Handler<{ claim_id: string; include_history?: boolean }> = async (input, ctx) => {
  const claim = await ctx.state.get<{ status: string; history?: string[] }>(["claim", input.claim_id]);
  if (claim === undefined) throw ctx.fail("NOT_FOUND", `There is no claim ${input.claim_id}.`);
  return { status: claim.status, ...(input.include_history === true ? { history: claim.history ?? [] } : {}) };
};

export default claimStatus;
