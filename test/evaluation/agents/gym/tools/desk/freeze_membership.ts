import type { Handler } from "cairn-gitops/host-api";

interface Input {
  member_no: string;
  weeks: number;
}

const freezeMembership: Handler<Input> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["freeze", input.member_no]);
  const freeze_no = `F-${input.member_no}-${earlier.length + 1}`;
  await ctx.state.set(["freeze", input.member_no, freeze_no], input);
  return { freeze_no, days: input.weeks * 7 };
};

export default freezeMembership;
