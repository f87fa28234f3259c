import { createPart, type Part, toId } from "./graph.ts";
import { follow, listTexts, type Outline } from "./read-outline.ts";

/** A tool, its examples, and all that its manifest says it depends on. */
export function readToolPart(file: string, server: string, stem: string, outline: Outline): Part {
  const { part, node, edge } = createPart(file);
  const key = (name: string) => follow(outline, name);
  const name = key("name")?.text ?? `${server}.${stem}`;
  const tool = node("tool", name, key("name")?.line);
  edge(tool, "is handled by", toId("handler", `tools/${server}/${stem}.ts`), key("name")?.line);
  edge(tool, "is served by", toId("server", server), key("name")?.line);
  edge(tool, "takes defaults from", "agent", key("limits")?.line);
  for (const { text, line } of listTexts(key("parameters"))) edge(tool, "reads", toId("experiment", text), line);
  for (const { text, line } of listTexts(key("requiredCapabilities"))) {
    edge(tool, "requires", toId("capability", text), line);
  }
  for (const [index, { line }] of (key("examples")?.items ?? []).entries()) {
    edge(node("example", `${name}#${index + 1}`, line), "is an example of", tool, line);
  }
  return part;
}
