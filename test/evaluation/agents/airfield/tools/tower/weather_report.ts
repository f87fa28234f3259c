import type { Handler } from "cairn-gitops/host-api";

interface Input {
  station: string;
  kind: string;
  hours: number;
  pressure_unit: string;
}

const weatherReport: Handler<Input> = async (input, ctx) => {
  const { style = "coded", max_chars = 160 } = ctx.params["briefings"] ?? {};
  const query = `kind=${input.kind}&hours=${input.hours}&pressure=${input.pressure_unit}`;
  const reply = await ctx.fetch(`https://api.cloudbase.example/v2/reports/${input.station}?${query}`);
  if (reply.status === 404) throw ctx.fail("NOT_FOUND", `There is no station ${input.station}.`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Cloudbase does not answer.");
  const { raw, words, pressure } = reply.json<{ raw: string; words: string; pressure: number }>();
  const said = style === "coached" ? `At ${input.station}: ${words}. Think of your alternate.` : words;
  return { report: raw, summary: (style === "coded" ? raw : said).slice(0, Number(max_chars)), pressure };
};

export default weatherReport;
