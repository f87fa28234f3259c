import { isObject } from "../../../json/is-object.ts";
import { HEADER_KEYWORD, toHeader } from "../../parameter-headers.ts";
import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import { subschemas } from "../../../json/schema-keywords.ts";
import { showValue, showValues } from "../schema/show.ts";
import type { Path } from "../yaml/locate.ts";
import type { ToolContent } from "./tool-content.ts";

/** Form of a header's name (RFC 9110, `token`). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Of other numbers, the text in the header and the text in the body need not be the same. */
const TYPES: readonly unknown[] = ["string", "integer", "boolean"];

/** Checks that clients can repeat as headers the values that `x-mcp-header` marks; clients that cannot hide the tool. */
export function checkHeaders({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const problems: Problem[] = [];
  const used = new Set<string>();
  visit(content.input, ["input"], true);
  return problems;

  function visit(schema: unknown, path: Path, isReachable: boolean): void {
    if (!isObject(schema)) return;
    if (Object.hasOwn(schema, HEADER_KEYWORD)) {
      const isProperty = isReachable && path.length > 1;
      const wrong = isProperty ? explain(schema[HEADER_KEYWORD], schema["type"]) : MISPLACED;
      if (wrong) problems.push(problem("schema-header", [...path, HEADER_KEYWORD], wrong.message, wrong.fix));
    }
    for (const { keyword, schema: inner, path: step } of subschemas(schema)) {
      visit(inner, [...path, ...step], isReachable && keyword === "properties");
    }
  }

  function explain(value: unknown, type: unknown): { readonly message: string; readonly fix: string } | undefined {
    if (typeof value !== "string" || !TOKEN.test(value)) {
      const is = value === "" ? "empty" : `\`${showValue(value)}\``;
      const message = `\`${HEADER_KEYWORD}\` is ${is}, and no header's name can end like that.`;
      return { message, fix: "Write a word of letters, digits, `-` and `_`, such as `Region`." };
    }
    if (!TYPES.includes(type)) {
      const is = type === undefined ? "any type" : `type \`${showValue(type)}\``;
      const message = `The header \`${toHeader(value)}\` would repeat a value of ${is}; clients can repeat ${showValues(TYPES)}.`;
      return { message, fix: `Give it one of these types, or remove \`${HEADER_KEYWORD}\`.` };
    }
    const name = value.toLowerCase();
    if (used.has(name)) {
      const message = `The header \`${toHeader(value)}\` is already used above; upper and lower case are the same.`;
      return { message, fix: "Give each parameter a header of its own." };
    }
    used.add(name);
    return undefined;
  }
}

const MISPLACED = {
  message: `This \`${HEADER_KEYWORD}\` is not on a property that \`properties\` alone lead to, so no client can tell which value it means.`,
  fix: "Write it to a property of the input, or to a property of such a property.",
};
