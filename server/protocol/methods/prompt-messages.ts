import type { Content } from "../../host-api.ts";
import type { Prompt } from "../../versions/version.ts";
import { fillPlaceholders } from "../fill-placeholders.ts";

/** The prompt's messages with the arguments filled in; an optional one that was not given leaves nothing. */
export function fillMessages({ messages }: Prompt, values: ReadonlyMap<string, string>): Prompt["messages"] {
  return messages.map(({ role, content }) => ({ role, content: fillContent(content, values) }));
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
