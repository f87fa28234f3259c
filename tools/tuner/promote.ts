import type { Handler, TunerPromotion } from "../../server/host-api.ts";

const promote: Handler<TunerPromotion> = async (input, ctx) => ({ state: await ctx.tuner.promote(input) });

export default promote;
