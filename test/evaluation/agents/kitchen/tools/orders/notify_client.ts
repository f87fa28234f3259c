import type { Handler } from "cairn-gitops/host-api";

interface Input {
  order_no: string;
  about: string;
  channel: string;
  language: string;
}

const notifyClient: Handler<Input> = async (input, ctx) => {
  const { wording = "matter_of_fact", ahead_hours = 48, send_tries = 2 } = ctx.params["client_notes"] ?? {};
  const query = `order=${input.order_no}&about=${input.about}&lang=${input.language}&wording=${wording}`;
  for (let attempt = 1; attempt <= Number(send_tries); attempt += 1) {
    const reply = await ctx.fetch(`https://post.tischpost.example/${input.channel}?${query}`, { method: "POST" });
    if (reply.ok) return { handed_over: true, ahead_hours: Number(ahead_hours) };
    if (reply.status < 500) return { handed_over: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Tischpost takes no notes.");
};

export default notifyClient;
