import type { Convertible, Schema } from "./convert-schema.ts";
import { type Node, nodeOf, type OpenApiDocument } from "./document.ts";
import type { Operation } from "./list-operations.ts";
import { findJson, isText } from "./media-types.ts";
import { findPagination, type Pagination } from "./pagination.ts";
import { exampleOf, type Field, type Refusal } from "./plan-input.ts";
import { toPlainText } from "./plain-text.ts";

/** Form of an answer: an object as it is, a list as `items`, another value as `value`, text as `text`, or nothing. */
export type OutputKind = "object" | "list" | "value" | "text" | "nothing";

export interface OutputPlan {
  readonly kind: OutputKind;
  readonly schema: Schema;
  readonly status: number;
  /** Media type to ask for. */
  readonly accept: string;
  readonly pagination?: Pagination;
  /** Body of the response that the document shows. */
  readonly shown?: unknown;
}

const MAX_DESCRIPTION = 200;

/** Plans the output of an operation: its first successful response that says something. */
export function planOutput(
  operation: Operation,
  fields: readonly Field[],
  document: Convertible<OpenApiDocument>,
): OutputPlan | Refusal {
  const chosen = chooseResponse(operation.responses);
  if (chosen === undefined) return { refused: "no successful response but redirects" };
  const [status, response] = chosen;
  const content = Object.entries(nodeOf(response["content"]));
  const json = findJson(content);
  const base = { status, accept: json === undefined || json[0].includes("*") ? "application/json" : json[0] };
  if (content.length === 0 || operation.method === "HEAD") return { ...base, kind: "nothing", schema: NOTHING };
  if (json === undefined) {
    const text = content.find(([type]) => isText(type));
    if (text === undefined) return { refused: `an answer of ${content.map(([type]) => `\`${type}\``).join(" or ")}` };
    const shown = exampleOf(nodeOf(text[1]), document);
    return {
      ...base,
      accept: text[0],
      kind: "text",
      schema: objectOf({ text: { type: "string", description: "The answer." } }),
      shown,
    };
  }
  const media = nodeOf(json[1]);
  const source = media["schema"];
  if (document.resolve(source)?.["format"] === "binary") return { refused: "a file as its answer" };
  const shown = exampleOf(media, document) ?? exampleOf(document.resolve(source) ?? {}, document);
  const isSometimesEmpty = hasEmptySuccess(operation.responses);
  const converted = document.convert(source ?? {}, "output");
  const described = { ...withDescription(converted, response) };
  const page = findPagination({ converted: described, fields, operation, response, document });
  return {
    ...base,
    ...toOutput(described, isSometimesEmpty, page),
    ...(page === undefined ? {} : { pagination: page }),
    shown,
  };
}

const NOTHING: Schema = {
  type: "object",
  required: ["status"],
  properties: { status: { type: "integer", description: "HTTP status of the answer." } },
};

function toOutput(
  schema: Schema,
  isSometimesEmpty: boolean,
  page: Pagination | undefined,
): Pick<OutputPlan, "kind" | "schema"> {
  const next = page === undefined ? {} : { next: page.schema };
  if (schema["type"] === "object" && !("anyOf" in schema)) {
    const { required, properties, ...rest } = schema;
    const needed = (Array.isArray(required) ? required : []).filter((name) => page === undefined || name !== "next");
    return {
      kind: "object",
      schema: {
        ...rest,
        ...(needed.length === 0 || isSometimesEmpty ? {} : { required: needed }),
        ...(properties === undefined && page === undefined ? {} : { properties: { ...nodeOf(properties), ...next } }),
      },
    };
  }
  const { description, ...inner } = schema;
  const told = description === undefined ? {} : { description };
  if (schema["type"] === "array")
    return { kind: "list", schema: { ...objectOf({ items: inner }), ...withNext(inner, next), ...told } };
  return {
    kind: "value",
    schema: { ...objectOf({ value: inner }, isSometimesEmpty || "anyOf" in schema ? [] : ["value"]), ...told },
  };
}

function withNext(items: Schema, next: Node): Schema {
  return { properties: { items, ...next } };
}

function objectOf(properties: Schema, required: readonly string[] = Object.keys(properties)): Schema {
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties };
}

/** The root of a tool's output is described by the response, where the schema says nothing. */
function withDescription(schema: Schema, response: Node): Schema {
  const told = toPlainText(response["description"], MAX_DESCRIPTION);
  const isWorthTelling =
    told.length > 12 && !/^(?:ok|success|response|successful (?:operation|response))\b/i.test(told);
  return schema["description"] === undefined && isWorthTelling ? { ...schema, description: told } : schema;
}

function chooseResponse(responses: Node): readonly [number, Node] | undefined {
  const successes = Object.entries(responses)
    .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, response]) => [Number(status.replaceAll(/x/gi, "0")), nodeOf(response)] as const);
  const withContent = successes.find(([, response]) => Object.keys(nodeOf(response["content"])).length > 0);
  if (withContent !== undefined || successes[0] !== undefined) return withContent ?? successes[0];
  if (responses["default"] !== undefined) return [200, nodeOf(responses["default"])];
  return Object.keys(responses).some((status) => status.startsWith("3")) ? undefined : [200, {}];
}

function hasEmptySuccess(responses: Node): boolean {
  return Object.entries(responses).some(
    ([status, response]) => /^2\d\d$/.test(status) && Object.keys(nodeOf(nodeOf(response)["content"])).length === 0,
  );
}
