import type { Handler } from "cairn-gitops/host-api";

interface Input {
  train_no: string;
  source: string;
  speed_unit: string;
  max_age: number;
  next_stop: boolean;
}

/** How many of a unit make a kilometre an hour; what is not listed is taken for that. */
const UNITS: Readonly<Record<string, number>> = { kmh: 1, mph: 0.621 };

const locateTrain: Handler<Input> = async (input, ctx) => {
  const reply = await ctx.fetch(
    `https://api.railpulse.example/v2/trains/${input.train_no}?source=${input.source}&age=${input.max_age}`,
  );
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Railpulse does not answer.");
  const { km, kmh, next } = reply.json<{ km: number; kmh: number; next: string }>();
  const speed = Math.round(kmh * (UNITS[input.speed_unit] ?? 1));
  return { kilometre: km, speed, ...(input.next_stop ? { next_stop: next } : {}) };
};

export default locateTrain;
