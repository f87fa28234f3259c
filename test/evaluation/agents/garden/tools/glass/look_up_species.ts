import type { Handler } from "cairn-gitops/host-api";

interface Input {
  name: string;
  names_in: string;
  family?: string;
  hardy: boolean;
  count: number;
}

interface Found {
  latin: string;
  family: string;
  least_c: number;
}

const lookUpSpecies: Handler<Input> = async (input, ctx) => {
  const query = `q=${encodeURIComponent(input.name)}&in=${input.names_in}`;
  const reply = await ctx.fetch(`https://api.floraindex.example/v1/species?${query}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Floraindex does not answer.");
  const species = reply
    .json<Found[]>()
    .filter((one) => (input.family === undefined || one.family === input.family) && (one.least_c < 0 || !input.hardy))
    .slice(0, input.count)
    .map(({ latin, family, least_c }) => ({ latin, family, least_c }));
  return { species };
};

export default lookUpSpecies;
