import type { Handler } from "cairn-gitops/host-api";

interface Input {
  member_no: string;
  ends: string;
  channel: string;
  language: string;
}

const WEEK = 604_800_000;

const renewalNotice: Handler<Input> = async (input, ctx) => {
  const { voice = "courteous", weeks_before = 4, attempts = 2 } = ctx.params["renewals"] ?? {};
  const goes_out = new Date(Date.parse(input.ends) - Number(weeks_before) * WEEK).toISOString().slice(0, 10);
  for (let attempt = 1; attempt <= Number(attempts); attempt += 1) {
    const reply = await ctx.fetch(
      `https://post.stampede.example/${input.channel}?to=${input.member_no}&lang=${input.language}&voice=${voice}`,
      { method: "POST" },
    );
    if (reply.ok) return { sent: true, goes_out };
    if (reply.status < 500) return { sent: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Stampede takes no post.");
};

export default renewalNotice;
