import type { Handler } from "cairn-gitops/host-api";

interface Input {
  audience: string;
  topic: string;
  channel: string;
  language: string;
}

const BEGINS: Readonly<Record<string, string>> = {
  plain: "News from the Millrace",
  cheerful: "Your bike misses you",
  strict: "No excuses this week",
};
const NAMES: Readonly<Record<string, string>> = {
  club: "your club",
  trainer: "your trainer",
  owner: "Hedda, who owns it",
};

const nudgeMembers: Handler<Input> = async ({ audience, topic, channel, language }, ctx) => {
  const { tone = "plain", signature = "club", quiet_days = 14, retries = 2 } = ctx.params["nudges"] ?? {};
  const opening = `${BEGINS[String(tone)] ?? "Hello"}, from ${NAMES[String(signature)] ?? "your club"}`;
  const days = audience === "sleepers" ? `&days=${quiet_days}` : "";
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://post.ringpost.example/${channel}?to=${audience}${days}&topic=${topic}&lang=${language}&tone=${tone}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, opening };
    if (reply.status < 500) return { accepted: false, opening };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Ringpost takes no messages.");
};

export default nudgeMembers;
