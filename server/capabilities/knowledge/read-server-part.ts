import { createPart, type Part, toId } from "./graph.ts";
import { follow, type Outline } from "./read-outline.ts";

/** A server, its resources and its prompts. Words that are the name of a tool are looked up with `isTool`. */
export function readServerPart(
  file: string,
  folder: string,
  outline: Outline,
  isTool: (word: string) => boolean,
): Part {
  const { part, node, edge } = createPart(file);
  const server = node("server", folder, follow(outline, "name")?.line);
  mention(server, follow(outline, "instructions"));
  for (const item of follow(outline, "resources")?.items ?? []) {
    const uri = follow(item, "uri") ?? follow(item, "uriTemplate");
    if (uri?.text === undefined) continue;
    const resource = node("resource", `${folder}/${uri.text}`, item.line);
    edge(resource, "is declared in", server, item.line);
    mention(resource, follow(item, "text"));
  }
  for (const item of follow(outline, "prompts")?.items ?? []) {
    const name = follow(item, "name");
    if (name?.text === undefined) continue;
    const prompt = node("prompt", `${folder}/${name.text}`, item.line);
    edge(prompt, "is declared in", server, item.line);
    for (const message of follow(item, "messages")?.items ?? []) mention(prompt, follow(message, "text"));
  }
  return part;

  function mention(from: string, said: Outline | undefined): void {
    const words = new Set((said?.text ?? "").split(/[^\w.-]+/).map((word) => word.replace(/[.-]+$/, "")));
    for (const word of words) if (isTool(word)) edge(from, "names", toId("tool", word), said?.line);
  }
}
