import type { Handler } from "cairn-gitops/host-api";

interface Input {
  reservation_no: string;
  topic: string;
  channel: string;
  language: string;
}

const callSkipper: Handler<Input> = async (input, ctx) => {
  const { tone = "brief", lead_hours = 12, tries = 2 } = ctx.params["notices"] ?? {};
  for (let attempt = 1; attempt <= Number(tries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://sms.signalman.example/${input.channel}?to=${input.reservation_no}&topic=${input.topic}&lang=${input.language}&tone=${tone}`,
      { method: "POST" },
    );
    if (reply.ok) return { taken: true, hours_ahead: Number(lead_hours) };
    if (reply.status < 500) return { taken: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Signalman takes no messages.");
};

export default callSkipper;
