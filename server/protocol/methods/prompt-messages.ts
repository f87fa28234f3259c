import type { Content } from "../../host-api.ts";
import type { Prompt } from "../../versions/version.ts";
import { fillPlaceholders } from "../fill-placeholders.ts";

export type Say = (provider: string, values: ReadonlyMap<string, string>) => Promise<string>;

/**
 * The prompt's messages with the arguments filled in; an optional one that was not given leaves nothing. `say` gives the
 * text of those that the running service says.
 */
export function fillMessages({ messages }: Prompt, values: ReadonlyMap<string, string>, say: Say) {
  return Promise.all(
    messages.map(async (message): Promise<{ readonly role: "user" | "assistant"; readonly content: Content }> => {
      const { role } = message;
      if ("content" in message) return { role, content: fillContent(message.content, values) };
      return { role, content: { type: "text", text: await say(message.provider, values) } };
    }),
  );
}

function fillContent(content: Content, values: ReadonlyMap<string, string>): Content {
  if (content.type === "text") return { ...content, text: fillPlaceholders(content.text, values) };
  if (content.type !== "resource") return content;
  const { resource } = content;
  const uri = fillPlaceholders(resource.uri, values);
  if (!("text" in resource)) return { type: "resource", resource: { ...resource, uri } };
  return {
    type: "resource",
    resource: { ...resource, uri, text: fillPlaceholders(resource.text, values, resource.mimeType) },
  };
}
