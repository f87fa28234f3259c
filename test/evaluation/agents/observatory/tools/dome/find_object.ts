import type { Handler } from "cairn-gitops/host-api";

interface Input {
  name: string;
  catalogue: string;
  epoch: string;
  max_magnitude?: number;
  count: number;
  above_horizon: boolean;
}

interface Found {
  designation: string;
  magnitude: number;
  ra: string;
  dec: string;
  up: boolean;
}

const findObject: Handler<Input> = async (input, ctx) => {
  const query = `name=${encodeURIComponent(input.name)}&catalogue=${input.catalogue}&epoch=${input.epoch}`;
  const reply = await ctx.fetch(`https://api.starledger.example/v3/objects?${query}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Starledger does not answer.");
  const objects = reply
    .json<Found[]>()
    .filter((one) => one.magnitude <= (input.max_magnitude ?? 99) && (one.up || !input.above_horizon))
    .slice(0, input.count)
    .map(({ designation, magnitude, ra, dec }) => ({ designation, magnitude, ra, dec }));
  return { objects };
};

export default findObject;
