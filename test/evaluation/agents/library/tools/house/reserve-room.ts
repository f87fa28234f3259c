import type { Handler } from "cairn-gitops/host-api";

const reserveRoom: Handler<{
  room: string;
  day: string;
  fromHour: number;
}> = async (input, ctx) => {
  const reservation = `Z-${input.room}-${input.day.replaceAll("-", "")}-${input.fromHour}`;
  if ((await ctx.state.get(["reserved", reservation])) !== undefined) {
    throw ctx.fail("CONFLICT", "Somebody else was faster.");
  }
  await ctx.state.set(["reserved", reservation], input);
  return { reservation };
};

export default reserveRoom;
