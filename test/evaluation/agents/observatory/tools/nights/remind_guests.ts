import type { Handler } from "cairn-gitops/host-api";

interface Input {
  night_no: string;
  subject: string;
  channel: string;
  language: string;
}

const remindGuests: Handler<Input> = async (input, ctx) => {
  const { voice = "factual", lead_hours = 24, retries = 1 } = ctx.params["reminders"] ?? {};
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://post.nightowl.example/${input.channel}?night=${input.night_no}&subject=${input.subject}&lang=${input.language}&voice=${voice}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, hours_ahead: Number(lead_hours) };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Nightowl takes no notes.");
};

export default remindGuests;
