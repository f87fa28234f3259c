import { CairnError } from "../../errors.ts";
import type { Prompt, Server } from "../../versions/version.ts";

/** Finds a server's prompts by name; of a name that it does not have, the error tells those that it has. */
export function createPromptLookup({ prompts }: Server): (name: unknown) => Prompt {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  return (name) => {
    const prompt = typeof name === "string" ? byName.get(name) : undefined;
    if (prompt) return prompt;
    const known = [...byName.keys()].join(", ") || "none";
    throw new CairnError("BAD_REQUEST", `There is no prompt \`${String(name).slice(0, 100)}\`; it has: ${known}.`);
  };
}
