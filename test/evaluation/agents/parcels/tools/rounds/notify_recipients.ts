import type { Handler } from "cairn-gitops/host-api";

interface Input {
  tour_no: string;
  occasion: string;
  channel: string;
  language: string;
}

const notifyRecipients: Handler<Input> = async (input, ctx) => {
  const { tone = "plain", minutes_ahead = 30, retries = 1 } = ctx.params["door_notes"] ?? {};
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://gateway.klingelpost.example/${input.channel}?tour=${input.tour_no}&occasion=${input.occasion}&lang=${input.language}&tone=${tone}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, minutes_ahead: Number(minutes_ahead) };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Klingelpost takes no notes.");
};

export default notifyRecipients;
