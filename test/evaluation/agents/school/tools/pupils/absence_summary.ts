import type { Handler } from "cairn-gitops/host-api";

interface Kept {
  days: number;
  status: string;
}

const absenceSummary: Handler<{ pupil_id: string }> = async ({ pupil_id }, ctx) => {
  const all = await ctx.state.scan<Kept>(["absence", pupil_id]);
  const kept = all.map(({ value }) => value);
  const sum = (list: readonly Kept[]): number => list.reduce((total, { days }) => total + days, 0);
  return { days: sum(kept), unexcused: sum(kept.filter(({ status }) => status === "pending")) };
};

export default absenceSummary;
