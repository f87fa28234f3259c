import type { Handler } from "cairn-gitops/host-api";

interface Input {
  topic: string;
  channel: string;
  language: string;
}

const notifyClub: Handler<Input> = async (input, ctx) => {
  const { tone = "sober", send_hour = 15, retries = 2 } = ctx.params["club_news"] ?? {};
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://post.mailcask.example/${input.channel}?topic=${input.topic}&lang=${input.language}&tone=${tone}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, goes_out_at: Number(send_hour) };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Mailcask takes no news.");
};

export default notifyClub;
