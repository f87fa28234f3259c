import type { Handler } from "cairn-gitops/host-api";

interface Input {
  sailing_no: string;
  items: number;
  trade: string;
  layout: string;
  trial: boolean;
}

const fileManifest: Handler<Input> = async (input, ctx) => {
  const query = `sailing=${input.sailing_no}&items=${input.items}&trade=${input.trade}&layout=${input.layout}&trial=${input.trial}`;
  const reply = await ctx.fetch(`https://api.portgate.example/v2/manifests?${query}`, { method: "POST" });
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Portgate takes no manifests.");
  const { reference } = reply.json<{ reference: string }>();
  return { filed: !input.trial, reference };
};

export default fileManifest;
