import type { Handler } from "cairn-gitops/host-api";

interface Input {
  block: string;
  hives: number;
  days: number;
  strength: string;
  quote_only: boolean;
}

const orderHives: Handler<Input> = async ({ block, hives, days, strength, quote_only }, ctx) => {
  const reply = await ctx.fetch(
    `https://api.immenhof.example/hives?block=${block}&hives=${hives}&days=${days}&strength=${strength}`,
    { method: quote_only ? "GET" : "POST" },
  );
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Immenhof has no bees for us, or no time.");
  return { price: reply.json<{ euros: number }>().euros, ordered: !quote_only };
};

export default orderHives;
