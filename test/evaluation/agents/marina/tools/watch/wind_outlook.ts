import type { Handler } from "cairn-gitops/host-api";

interface Input {
  day: string;
  station: string;
  unit: string;
  hours: number;
  gusts: boolean;
  warn_from: number;
}

const windOutlook: Handler<Input> = async (input, ctx) => {
  const reply = await ctx.fetch(
    `https://api.windrose.example/${input.station}?day=${input.day}&hours=${input.hours}&unit=${input.unit}`,
  );
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Windrose has no numbers for us.");
  const { wind, gust } = reply.json<{ wind: number; gust: number }>();
  return { strongest: wind, warning: (input.gusts ? gust : wind) >= input.warn_from };
};

export default windOutlook;
