import type { Handler } from "cairn-gitops/host-api";

interface Input {
  area: string;
  hours_ahead: number;
  wind_unit: string;
  model: string;
  tide: boolean;
}

const seaState: Handler<Input> = async (input, ctx) => {
  const query = `area=${input.area}&hours=${input.hours_ahead}&unit=${input.wind_unit}&model=${input.model}`;
  const reply = await ctx.fetch(`https://api.swellcast.example/v1/sea?${query}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Swellcast does not answer.");
  const { wave, wind, tide } = reply.json<{ wave: number; wind: number; tide: number }>();
  return { wave_m: wave, wind, ...(input.tide ? { tide_m: tide } : {}) };
};

export default seaState;
