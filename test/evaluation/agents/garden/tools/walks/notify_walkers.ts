import type { Handler } from "cairn-gitops/host-api";

interface Input {
  walk_no: string;
  subject: string;
  channel: string;
}

const notifyWalkers: Handler<Input> = async (input, ctx) => {
  const { tone = "plain", hours_before = 20, attempts = 2 } = ctx.params["notices"] ?? {};
  for (let attempt = 0; attempt < Number(attempts); attempt += 1) {
    const reply = await ctx.fetch(
      `https://mail.postvine.example/${input.channel}?walk=${input.walk_no}&subject=${input.subject}&tone=${tone}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, hours_ahead: Number(hours_before) };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Postvine takes no notices.");
};

export default notifyWalkers;
