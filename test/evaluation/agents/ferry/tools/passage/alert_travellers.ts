import type { Handler } from "cairn-gitops/host-api";

interface Input {
  sailing_no: string;
  subject: string;
  channel: string;
  language: string;
}

const alertTravellers: Handler<Input> = async (input, ctx) => {
  const { tone = "brisk", lead_minutes = 45, sign_off = "none", retries = 2 } = ctx.params["alerts"] ?? {};
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://post.gullmail.example/${input.channel}?sailing=${input.sailing_no}&subject=${input.subject}&lang=${input.language}&tone=${tone}&from=${sign_off}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, minutes_ahead: Number(lead_minutes) };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Gullmail takes no messages.");
};

export default alertTravellers;
