import type { Handler } from "cairn-gitops/host-api";

interface Input {
  recipient: string;
  topic: string;
  body: string;
  channel: string;
  language: string;
}

const writeLetter: Handler<Input> = async (input, ctx) => {
  const { retries = 1 } = ctx.params["letters"] ?? {};
  const host = input.channel === "paper" ? "print.klassenpost.example" : "mail.klassenpost.example";
  const to = encodeURIComponent(input.recipient);
  for (let attempt = 0; attempt <= Number(retries); attempt += 1) {
    const reply = await ctx.fetch(`https://${host}/letters?to=${to}&about=${input.topic}&lang=${input.language}`, {
      method: "POST",
      body: input.body,
    });
    if (reply.ok) return { sent: true, letter_id: reply.json<{ id: string }>().id };
    if (reply.status < 500) return { sent: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Klassenpost takes no letters.");
};

export default writeLetter;
