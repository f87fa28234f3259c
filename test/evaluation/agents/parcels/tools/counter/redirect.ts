import type { Handler } from "cairn-gitops/host-api";

const redirect: Handler<{ parcel_no: string; free_of_charge: boolean }> = async (input, ctx) => {
  const key = ["parcel", input.parcel_no];
  const parcel = await ctx.state.get<object>(key);
  if (parcel === undefined) throw ctx.fail("NOT_FOUND", `There is no parcel ${input.parcel_no}.`);
  await ctx.state.set(key, { ...parcel, redirected: input });
  return { redirected: true, fee: input.free_of_charge ? 0 : 2.5 };
};

export default redirect;
