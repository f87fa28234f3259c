import type { Handler } from "cairn-gitops/host-api";

interface Input {
  card: string;
  about: string;
  address: string;
  by: string;
  tongue: string;
}

const sendNotice: Handler<Input> = async (input, ctx) => {
  const { attempts = 2 } = ctx.params["notices"] ?? {};
  const to = encodeURIComponent(input.address);
  for (let attempt = 0; attempt < Number(attempts); attempt += 1) {
    const reply = await ctx.fetch(
      `https://post.lettermill.example/send?by=${input.by}&about=${input.about}&to=${to}&lang=${input.tongue}`,
      { method: "POST" },
    );
    if (reply.ok)
      return {
        accepted: true,
        letter: reply.json<{ number: string }>().number,
      };
    if (reply.status < 500) return { accepted: false };
  }
  throw ctx.fail("UPSTREAM_ERROR", "Lettermill does not take notices.");
};

export default sendNotice;
