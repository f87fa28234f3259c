import { CairnError } from "../../errors.ts";
import type { Server } from "../../versions/version.ts";
import type { Methods } from "../method.ts";
import { createPages } from "../pages.ts";

/** `prompts/list` and `prompts/get` of one server. */
export function createPromptMethods(server: Server): Methods {
  const byName = new Map(server.prompts.map((prompt) => [prompt.name, prompt]));
  return {
    "prompts/list": createPages(
      "prompts",
      server.prompts.map(({ messages: _messages, ...prompt }) => prompt),
    ),
    "prompts/get"({ name, arguments: given = {} }) {
      const prompt = typeof name === "string" ? byName.get(name) : undefined;
      if (!prompt) {
        const known = [...byName.keys()].join(", ") || "none";
        throw new CairnError("BAD_REQUEST", `There is no prompt \`${String(name).slice(0, 100)}\`; it has: ${known}.`);
      }
      const values = readArguments(prompt.arguments, given);
      return {
        ...(prompt.description === undefined ? {} : { description: prompt.description }),
        messages: prompt.messages.map(({ role, text }) => ({
          role,
          content: {
            type: "text",
            text: text.replace(/\{\{(\w+)\}\}/g, (_, argument: string) => values.get(argument) ?? ""),
          },
        })),
      };
    },
  };
}

function readArguments(
  declared: readonly { readonly name: string; readonly required: boolean }[],
  given: unknown,
): ReadonlyMap<string, string> {
  if (typeof given !== "object" || given === null)
    throw new CairnError("BAD_REQUEST", "`arguments` must be an object.");
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (!declared.some((argument) => argument.name === name) || typeof value !== "string") {
      const names = declared.map((argument) => argument.name).join(", ") || "none";
      throw new CairnError("BAD_REQUEST", `\`arguments.${name}\` must be a string and one of: ${names}.`);
    }
    values.set(name, value);
  }
  const missing = declared.filter(({ name, required }) => required && !values.has(name));
  if (missing.length > 0) {
    throw new CairnError("BAD_REQUEST", `The prompt needs ${missing.map(({ name }) => `\`${name}\``).join(", ")}.`);
  }
  return values;
}
