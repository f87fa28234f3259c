import type { Context, Handler } from "../../server/host-api.ts";

type Promotion = Parameters<Context["tuner"]["promote"]>[0];

const promote: Handler<Promotion> = async (input, ctx) => ({ state: await ctx.tuner.promote(input) });

export default promote;
