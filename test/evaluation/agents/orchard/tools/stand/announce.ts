import type { Handler } from "cairn-gitops/host-api";

interface Input {
  subject: string;
  audience: string;
  channel: string;
  language: string;
  text?: string;
}

const BEGINS: Readonly<Record<string, string>> = {
  plain: "News from Quickthorn Farm",
  chatty: "Hello dear neighbours",
  rustic: "Hear ye, the barrel is tapped",
};
const PICTURES: Readonly<Record<string, string>> = { few: " 🍎", many: " 🍎🍐🍾" };

const announce: Handler<Input> = async ({ subject, audience, channel, language, text = "" }, ctx) => {
  const { voice = "plain", emoji = "never", max_signs = 160, retries = 1 } = ctx.params["announcements"] ?? {};
  const begin = `${BEGINS[String(voice)] ?? ""}: ${subject}${PICTURES[String(emoji)] ?? ""}`;
  const preview = `${begin} ${text}`.trim().slice(0, Number(max_signs));
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(
      `https://post.hofpost.example/${channel}?to=${audience}&subject=${subject}&lang=${language}&voice=${voice}`,
      { method: "POST" },
    );
    if (reply.ok) return { accepted: true, preview };
    if (reply.status < 500) return { accepted: false, preview };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Hofpost takes no messages.");
};

export default announce;
