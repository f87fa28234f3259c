import { type Document, Document as YamlDocument, isMap, parseDocument, visit } from "yaml";
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../json/is-object.ts";
import { findHidden, locateHidden } from "../../text/find-hidden.ts";
import type { Path } from "./merge-values.ts";

const WIDTH = 120;
const SCHEMA_LINE = (kind: string) => ` yaml-language-server: $schema=../../schemas/${kind}.schema.json`;

/** Writes a new manifest of a kind. */
export function writeManifest(kind: string, content: unknown): string {
  const document = new YamlDocument(content, { aliasDuplicateObjects: false, compat: "yaml-1.1" });
  document.commentBefore = SCHEMA_LINE(kind);
  return toText(document);
}

/** Writes `content` into the text of a manifest: what is as before keeps its layout and comments. */
export function rewriteManifest(text: string, content: Readonly<Record<string, unknown>>): string {
  const document = parseDocument(text, { compat: "yaml-1.1" });
  const before: unknown = document.toJS();
  if (isDeepStrictEqual(before, content)) return text;
  apply(document, before, content, []);
  return toText(document);
}

function apply(document: Document, before: unknown, after: unknown, path: Path): void {
  if (isDeepStrictEqual(before, after)) return;
  const isOpen = path.length === 0 || isMap(document.getIn(path));
  if (!isObject(before) || !isObject(after) || !isOpen) {
    document.setIn(path, document.createNode(after, { aliasDuplicateObjects: false }));
    return;
  }
  for (const key of Object.keys(before)) if (!(key in after)) document.deleteIn([...path, key]);
  for (const [key, value] of Object.entries(after)) apply(document, before[key], value, [...path, key]);
}

/** Writes characters that nobody sees as escapes, which reviewers see: servers of others choose these texts. */
function toText(document: Document): string {
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && locateHidden(scalar.value).length > 0) scalar.type = "QUOTE_DOUBLE";
    },
  });
  const text = document.toString({ lineWidth: WIDTH, flowCollectionPadding: true });
  return findHidden(text).reduce((shown, character) => shown.replaceAll(character, toEscape(character)), text);
}

/** Writes a character as YAML escapes it between double quotes (YAML 1.2, 5.7). */
function toEscape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

/** Writes the handler of an imported tool, which is there for people to edit. */
export function writeHandler(upstream: string, tool: string): string {
  const call = `ctx.mcp.call(${JSON.stringify(upstream)}, ${JSON.stringify(tool)}, input)`;
  return `import type { Handler } from "cairn-gitops/host-api";

const handler: Handler = (input, ctx) => ${call};

export default handler;
`;
}
