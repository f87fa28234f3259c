import type { Handler } from "cairn-gitops/host-api";
import { RATES } from "../_lib/money.ts";

interface Place {
  country: string;
  postcode?: string;
}

interface Input {
  origin: Place;
  destination: Place;
  weight_kg: number;
  pieces: number;
  service: string;
  carrier?: string;
  currency: string;
  limit: number;
}

interface Offer {
  id: string;
  carrier: string;
  euros: number;
  days: number;
  grams_co2: number;
}

const ORDERS: Readonly<Record<string, (a: Offer, b: Offer) => number>> = {
  fastest: (a, b) => a.days - b.days,
  greenest: (a, b) => a.grams_co2 - b.grams_co2,
};

const quoteRates: Handler<Input> = async (input, ctx) => {
  const [from, to] = [input.origin, input.destination].map(({ country, postcode = "" }) =>
    encodeURIComponent(`${country}-${postcode}`),
  );
  const reply = await ctx.fetch(
    `https://api.roadlink.example/v1/offers?from=${from}&to=${to}&kg=${input.weight_kg}&pieces=${input.pieces}&service=${input.service}`,
  );
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Roadlink has no offers at the moment.");
  const rate = RATES[input.currency];
  if (rate === undefined) throw ctx.fail("UNPROCESSABLE", `There is no rate for ${input.currency} today.`);
  const { lead = "cheapest", margin = 0, buffer_days: buffer = 0 } = ctx.params["offers"] ?? {};
  const { offers } = reply.json<{ offers: Offer[] }>();
  return {
    offers: offers
      .filter(({ carrier }) => input.carrier === undefined || carrier === input.carrier)
      .sort(ORDERS[String(lead)] ?? ((a, b) => a.euros - b.euros))
      .slice(0, input.limit)
      .map(({ id, carrier, euros, days }) => ({
        quote_id: id,
        carrier,
        price: Math.round(euros * (1 + Number(margin)) * rate * 100) / 100,
        days: days + Number(buffer),
      })),
  };
};

export default quoteRates;
