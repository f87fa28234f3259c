import { CairnError } from "../../../errors.ts";
import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Version } from "../../../versions/version.ts";
import type { Attachment } from "../plan.ts";
import type { ToDataBlock } from "./create-data-blocks.ts";
import type { ModelLimits } from "./model-limits.ts";
import type { Reading } from "./open-reading.ts";
import { outlineVersion, TITLE_LENGTHS } from "./outline.ts";
import { toOfferedSchema } from "./read-submission.ts";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
}

export const SUBMIT = "submit_plan";
export const TRY = "try_plan";

/** All that the model can do: look at texts of one commit, and submit. */
export const MODEL_TOOLS: readonly ToolDefinition[] = Object.freeze([
  {
    name: "outline",
    description:
      "Lists all tools with their titles, the experiments and the labels; under a folder, the paths of its files.",
    input: toInput({ under: { type: "string", description: "A folder, such as `manifests/runner`." } }),
  },
  {
    name: "read",
    description:
      "Reads a text file of the commit, or an attachment by its URI, from a line on. Lines come with `| ` before them.",
    input: toInput(
      {
        path: { type: "string", description: "Path from the root of the repository, or URI of an attachment." },
        from_line: { type: "integer", minimum: 1, description: "First line, 1 unless given." },
      },
      ["path"],
    ),
  },
  {
    name: "search",
    description: "Finds pieces of what plans may change by words.",
    input: toInput({ query: { type: "string", description: "Words." } }, ["query"]),
  },
  {
    name: TRY,
    description: `Checks a draft as if it were submitted: edits, guard, types, semver, examples. Says what is wrong, with file and line, and what somebody would have to approve.`,
    input: toInput({ change: { type: "object", description: `As \`change\` of \`${SUBMIT}\`.` } }, ["change"]),
  },
  { name: SUBMIT, description: "Submits the plan, which ends the work.", input: toOfferedSchema() },
]);

/** The texts that reading tools show. */
export interface Shown {
  readonly reading: Reading;
  readonly attachments: readonly Attachment[];
  readonly version: Version;
}

/** Runs a reading tool: the answer is a data block or a sentence, and so is whatever is wrong with the call. */
export async function runModelTool(
  call: { readonly name: string; readonly input: unknown },
  { reading, attachments, version }: Shown,
  toDataBlock: ToDataBlock,
  limits: ModelLimits,
): Promise<string> {
  const input = isObject(call.input) ? call.input : {};
  switch (call.name) {
    case "outline":
      return outline(toText(input["under"]));
    case "read":
      return read(toText(input["path"]), input["from_line"]);
    case "search":
      return search(toText(input["query"]));
    default:
      return `There is no such tool. There are ${MODEL_TOOLS.map(({ name }) => `\`${name}\``).join(", ")}.`;
  }

  function outline(under: string): string {
    const folder = under.replace(/^\.?\/+|\/+$/g, "");
    if (folder === "")
      return toDataBlock("outline", outlineVersion(version, TITLE_LENGTHS[0]).slice(0, limits.readCharacters));
    const found = reading.files.filter((path) => path === folder || path.startsWith(`${folder}/`));
    const more = found.length - limits.listedFiles;
    const block = toDataBlock(`files under ${folder}`, found.slice(0, limits.listedFiles).join("\n"));
    return more > 0 ? `${block}\nThere are ${more} more; name a folder.` : block;
  }

  async function read(path: string, from: unknown): Promise<string> {
    const text = attachments.find(({ uri }) => uri === path)?.text ?? (await reading.read(path));
    if (text === undefined)
      return "There is no text file of this path that can be shown. `outline` says what there is.";
    const first = typeof from === "number" && Number.isSafeInteger(from) && from > 0 ? from : 1;
    const rest = text
      .split("\n")
      .slice(first - 1)
      .join("\n");
    const shown = rest.slice(0, limits.readCharacters);
    const block = toDataBlock(`file ${path}, from line ${first}`, shown);
    if (shown.length === rest.length) return block;
    return `${block}\nThe file goes on; read it from line ${first + shown.split("\n").length - 1}.`;
  }

  async function search(query: string): Promise<string> {
    try {
      const index = await reading.index();
      const hits = index.search(query.slice(0, limits.readCharacters), { limit: limits.searchHits });
      if (hits.length === 0) return "Nothing was found.";
      return hits.map((hit) => toDataBlock(`${hit.path}, from line ${hit.from_line}`, hit.text)).join("\n");
    } catch (error) {
      if (error instanceof CairnError) return error.message;
      throw error;
    }
  }
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function toInput(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required };
}
