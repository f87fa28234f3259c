import type { Handler } from "cairn-gitops/host-api";

interface Input {
  destination: { country: string; postcode?: string };
  weight_kg: number;
  speed: string;
  insurance: boolean;
}

const quoteShipping: Handler<Input> = async ({ destination, weight_kg, speed, insurance }, ctx) => {
  const to = encodeURIComponent([destination.country, destination.postcode ?? ""].join("-"));
  const reply = await ctx.fetch(
    `https://api.parcelway.example/v2/quote?to=${to}&kg=${weight_kg}&speed=${speed}&insured=${insurance}`,
  );
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Parcelway gave no quote.");
  const { price, days } = reply.json<{ price: number; days: number }>();
  return { price, days };
};

export default quoteShipping;
