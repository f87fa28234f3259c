import type { Handler } from "cairn-gitops/host-api";

const GREETINGS: Readonly<Record<string, string>> = { en: "Hello. ", de: "Hallo. ", pl: "Cześć. " };

const messageDriver: Handler<{ driver_id: string; text: string; language: string }> = async (input, ctx) => {
  const message_id = `M-${String(Math.floor(ctx.random() * 1_000_000)).padStart(6, "0")}`;
  const tone = ctx.params["pickups"]?.["tone"];
  const greeting = tone === "brisk" ? "" : (GREETINGS[input.language] ?? "");
  const text = `${greeting}${input.text}${tone === "polite" ? " Thank you." : ""}`;
  await ctx.state.set(["message", message_id], { ...input, text });
  return { message_id };
};

export default messageDriver;
