import type { Handler } from "cairn-gitops/host-api";

interface Input {
  appointment_id: string;
  phone: string;
  channel: string;
  hours_before: number;
  language: string;
}

const sendReminder: Handler<Input> = async (input, ctx) => {
  const to = encodeURIComponent(input.phone);
  const { retries = 1 } = ctx.params["reminders"] ?? {};
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://api.pingbird.example/v1/${input.channel}?to=${to}&about=${input.appointment_id}&before=${input.hours_before}&lang=${input.language}`,
      { method: "POST" },
    );
    if (reply.ok) return { queued: true, message_id: reply.json<{ id: string }>().id };
    if (reply.status < 500) return { queued: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Pingbird does not take reminders.");
};

export default sendReminder;
