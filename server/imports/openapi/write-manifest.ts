import { Document, isCollection, visit } from "yaml";
import { defined } from "../../json/defined.ts";
import type { ToolExample } from "./choose-example.ts";
import { toPlainText } from "./plain-text.ts";
import type { ToolPlan } from "./plan-tools.ts";

const MAX_DESCRIPTION = 600;
const MAX_TITLE = 80;
/** Characters of a mapping or list that stands on one line. */
const MAX_FLOW = 90;
const MARKS = { shown: "From the API's own document", made: "Made from the schemas; no real call was made" };

/** Writes the manifest of a tool. */
export function writeManifest(
  { operation, stem, server, input, output, base, secrets }: ToolPlan,
  example: ToolExample | undefined,
): string {
  const { summary, description, method, key, isDeprecated } = operation;
  const isRead = method === "GET" || method === "HEAD";
  const title = toPlainText(summary, MAX_TITLE).replace(/\.$/, "");
  const manifest = {
    name: `${server}.${stem}`,
    ...(title === "" ? {} : { title }),
    version: "1.0.0",
    description: describe(summary, description, key, isDeprecated),
    input: input.schema,
    output: output.schema,
    sideEffect: !isRead,
    ...(method === "PUT" || method === "DELETE" ? { idempotent: true } : {}),
    uses: ["fetch"],
    egress: [base.host],
    ...(secrets.length === 0
      ? {}
      : {
          secrets: secrets.map(({ name, header, query, format }) =>
            defined({ name, hosts: [base.host], header, query, format }),
          ),
        }),
    ...(example === undefined ? {} : { examples: [toExample(example, output.schema)] }),
  };
  const left = input.notes.length === 0 ? "" : `# Left out: ${input.notes.join("; ")}.\n`;
  return `# yaml-language-server: $schema=../../schemas/tool.schema.json\n# ${key}\n${left}${writeYaml(manifest)}`;
}

function describe(
  summary: string | undefined,
  description: string | undefined,
  key: string,
  isDeprecated: boolean,
): string {
  const [short, long] = [toPlainText(summary, MAX_DESCRIPTION), toPlainText(description, MAX_DESCRIPTION)];
  const isRepeated = long.toLowerCase().startsWith(short.toLowerCase());
  const told = [short === "" || isRepeated ? "" : /[.!?]$/.test(short) ? short : `${short}.`, long]
    .filter(Boolean)
    .join(" ");
  return `${isDeprecated ? "Deprecated by the API. " : ""}${told === "" ? `Sends ${key}.` : told}`;
}

function toExample(
  { input, isShown }: ToolExample,
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const required = schema["required"];
  const matches = Array.isArray(required) && required.length > 0 ? { required } : { type: "object" };
  return { description: isShown ? MARKS.shown : MARKS.made, input, matches };
}

/** Writes YAML as people do: what is short stands on one line. */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: "yaml-1.1" });
  visit(document, {
    Collection(_key, node, path) {
      if (path.length <= 1 || !isCollection(node)) return undefined;
      const text = JSON.stringify(node.toJSON());
      if (text.length > MAX_FLOW) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}
