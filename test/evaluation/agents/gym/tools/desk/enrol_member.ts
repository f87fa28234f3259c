import type { Handler } from "cairn-gitops/host-api";

// The contract is printed from what is kept here.
const enrolMember: Handler<object> = async (input, ctx) => {
  const others = await ctx.state.scan(["member"]);
  const member_no = `M${String(others.length + 1).padStart(5, "0")}`;
  await ctx.state.set(["member", member_no], input);
  return { member_no };
};

export default enrolMember;
