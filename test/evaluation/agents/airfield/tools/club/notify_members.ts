import type { Handler } from "cairn-gitops/host-api";

interface Input {
  subject: string;
  audience: string;
  channel: string;
  language: string;
}

const notifyMembers: Handler<Input> = async (input, ctx) => {
  const { tone = "dry", lead_hours = 12, retries = 1 } = ctx.params["notices"] ?? {};
  const query = `to=${input.audience}&about=${input.subject}&lang=${input.language}&tone=${tone}`;
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(`https://post.windsock.example/${input.channel}?${query}`, { method: "POST" });
    if (reply.ok) return { accepted: true, hours_ahead: Number(lead_hours) };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Windsock Post takes no notices.");
};

export default notifyMembers;
