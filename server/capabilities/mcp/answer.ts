import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../json/types.ts";
import type { FrozenTool } from "../../versions/upstream.ts";

/** Characters of an upstream's own words in the message of an error. */
const SAID_LENGTH = 2_000;

/**
 * Form of the output that handlers get: `content` is `{ content }`, of tools that declare no output; `structured` the
 * structured content itself; `wrapped` `{ result }`, where that may be no object.
 */
export type OutputForm = "content" | "structured" | "wrapped";

export function toOutputForm({ outputSchema }: FrozenTool["definition"]): OutputForm {
  if (outputSchema === undefined) return "content";
  return isObject(outputSchema) && outputSchema["type"] === "object" ? "structured" : "wrapped";
}

/** Answer of an upstream's tool; without `content` the output has it. */
export interface ToolAnswer {
  readonly output: Readonly<Record<string, Json>>;
  readonly content?: readonly Json[];
}

/**
 * Reads the result of `tools/call`. @throws UPSTREAM_TOOL_ERROR, with its content as details, for one that is an error;
 * UPSTREAM_ERROR for one that is not what MCP or the tool's definition has.
 */
export function toAnswer(
  name: string,
  { definition }: FrozenTool,
  result: Readonly<Record<string, unknown>>,
): ToolAnswer {
  const { content = [], structuredContent, isError, resultType = "complete" } = result;
  if (resultType !== "complete") {
    const message = `\`${name}\` wants to ask its caller something (\`${String(resultType).slice(0, 100)}\`), which Cairn does not pass on.`;
    throw new CairnError("UPSTREAM_ERROR", message);
  }
  if (!isContent(content))
    throw new CairnError("UPSTREAM_ERROR", `\`${name}\` answers with content that is none of MCP.`);
  if (isError === true) {
    const said = content.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");
    const message = said === "" ? `\`${name}\` answered with an error.` : said.slice(0, SAID_LENGTH);
    throw new CairnError("UPSTREAM_TOOL_ERROR", message, { details: { content } });
  }
  const form = toOutputForm(definition);
  if (form === "content") return { output: { content } };
  if (structuredContent === undefined) {
    throw new CairnError("UPSTREAM_ERROR", `\`${name}\` declares its output, and answers without structured content.`);
  }
  const value = structuredContent as Json;
  if (form === "wrapped") return { output: { result: value }, content };
  if (isObject(value)) return { output: value, content };
  throw new CairnError("UPSTREAM_ERROR", `\`${name}\` answers with structured content that is no JSON object.`);
}

type Block = Readonly<Record<string, Json>>;

function isContent(value: unknown): value is readonly Block[] {
  return Array.isArray(value) && value.every((block) => isObject(block) && typeof block["type"] === "string");
}

/** Returns the text by which handlers' requests of an upstream are recorded and played. */
export function writeResult({
  content,
  structuredContent,
  isError,
  resultType,
}: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(defined({ content, structuredContent, isError, resultType }));
}
