import type { Handler } from "cairn-gitops/host-api";

interface Input {
  day: string;
  depot: string;
  drivers: readonly string[];
  trainee: boolean;
}

// All of the plan is kept; the board at the depot shows it.
const planTour: Handler<Input> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["tour", input.depot, input.day]);
  const tour_no = `T-${input.depot}-${input.day.replaceAll("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["tour", input.depot, input.day, tour_no], input);
  return { tour_no, crew: input.drivers.length + (input.trainee ? 1 : 0) };
};

export default planTour;
