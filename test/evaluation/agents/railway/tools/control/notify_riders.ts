import type { Handler } from "cairn-gitops/host-api";

interface Input {
  train_no: string;
  event: string;
  channel: string;
  language: string;
}

const notifyRiders: Handler<Input> = async (input, ctx) => {
  const { wording = "sober", from_minutes = 5, resend = 2 } = ctx.params["delay_notices"] ?? {};
  for (let attempt = 0; attempt <= Number(resend); attempt += 1) {
    const reply = await ctx.fetch(
      `https://send.linetext.example/${input.channel}?train=${input.train_no}&event=${input.event}&lang=${input.language}&wording=${wording}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, from_minutes: Number(from_minutes) };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Linetext takes no notices.");
};

export default notifyRiders;
