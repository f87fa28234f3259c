import type { Handler } from "cairn-gitops/host-api";

const queueForecast: Handler<{ target: string; horizon_minutes: number }> = async (input, ctx) => {
  const query = `target=${input.target}&minutes=${input.horizon_minutes}`;
  const reply = await ctx.fetch(`https://metrics.anvil.example:8443/queue?${query}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "The metrics of the farm did not answer.");
  return reply.json<{ wait_minutes: number; confidence: string }>();
};

export default queueForecast;
