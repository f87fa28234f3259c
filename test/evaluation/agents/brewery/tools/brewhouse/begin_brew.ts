import type { Handler } from "cairn-gitops/host-api";
import { TANKS } from "../_lib/cellar.ts";

interface Input {
  recipe: string;
  litres: number;
  tank: string;
  yeast: string;
}

// All of the request is kept, so the cellar sees whatever was written.
const beginBrew: Handler<Input> = async (input, ctx) => {
  if (!TANKS.some(({ tank }) => tank === input.tank)) throw ctx.fail("NOT_FOUND", `There is no tank ${input.tank}.`);
  const earlier = await ctx.state.scan(["brew", input.tank]);
  const brew_no = `MR-${input.tank.replace("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["brew", input.tank, brew_no], input);
  return {
    brew_no,
    status: earlier.length === 0 ? "mashing" : "queued",
    ready_in_days: input.yeast === "lager" ? 35 : 14,
  };
};

export default beginBrew;
