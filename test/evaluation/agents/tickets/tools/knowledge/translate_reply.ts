import type { Handler } from "cairn-gitops/host-api";

interface Input {
  text: string;
  language: string;
  formality: string;
}

const translateReply: Handler<Input> = async ({ text, language, formality }, ctx) => {
  const query = `q=${encodeURIComponent(text)}&to=${language}&style=${formality}`;
  const reply = await ctx.fetch(`https://eu.lingua.example/translate?${query}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Lingua did not translate it.");
  return reply.json<{ text: string; detected: string }>();
};

export default translateReply;
