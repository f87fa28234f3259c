import type { Handler } from "cairn-gitops/host-api";

interface Input {
  rehearsal_no: string;
  topic: string;
  channel: string;
  language: string;
}

const callCast: Handler<Input> = async (input, ctx) => {
  const { manner = "plain", lead_hours = 18, retries = 2 } = ctx.params["callboard"] ?? {};
  for (let attempt = 1; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://sms.rufbereit.example/${input.channel}?to=${input.rehearsal_no}&topic=${input.topic}&lang=${input.language}&manner=${manner}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, hours_ahead: Number(lead_hours) };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Rufbereit takes no messages.");
};

export default callCast;
