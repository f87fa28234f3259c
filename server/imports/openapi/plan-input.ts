import type { Convertible, Schema } from "./convert-schema.ts";
import { listOf, type Node, nodeOf, type OpenApiDocument, textOf } from "./document.ts";
import type { Operation } from "./list-operations.ts";
import { findJson, isText } from "./media-types.ts";
import { toPlainText } from "./plain-text.ts";

/** Reason why an operation cannot be a tool. */
export interface Refusal {
  readonly refused: string;
}

/** Ways to write a list or an object into a query, beside one pair for each value. */
export type Encoding = "commas" | "spaces" | "pipes" | "deep" | "spread" | "json";

/** A member of a tool's input, and its place in the request. */
export interface Field {
  readonly name: string;
  /** Name in the request. */
  readonly wire: string;
  readonly place: "path" | "query" | "header" | "body";
  readonly encoding?: Encoding;
}

export interface BodyPlan {
  readonly kind: "json" | "form" | "text";
  readonly type: string;
  /** True if the members of the body are members of the input; else it is one member, `body`. */
  readonly isFlat: boolean;
  /** True if objects in a form are written as `a[b]=c`. */
  readonly hasBrackets: boolean;
}

export interface InputPlan {
  readonly schema: Schema;
  readonly fields: readonly Field[];
  readonly body?: BodyPlan;
  /** Values of members that the document shows. */
  readonly shown: Node;
  /** Parts of the operation that no handler can send. */
  readonly notes: readonly string[];
}

/** Names that clients of models take for members of an input; the others are rewritten. */
const MEMBER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const BODY_MEMBER = /^[A-Za-z0-9_$.@-]{1,64}$/;
/** Headers that OpenAPI describes elsewhere, and those of a connection, which Cairn sets. */
const OTHER_HEADERS =
  /^(?:accept|authorization|content-type|host|connection|content-length|expect|te|trailer|transfer-encoding|upgrade|user-agent|proxy-.*)$/i;
const MAX_PATTERNS = 50;

/** Plans the input of an operation: parameters, and the members of its body beside them where their names allow that. */
export function planInput(operation: Operation, document: Convertible<OpenApiDocument>): InputPlan | Refusal {
  const notes: string[] = [];
  const members: Member[] = [];
  for (const parameter of withMissing(operation)) {
    const member = toMember(parameter, members, document);
    if ("skipped" in member) {
      if (parameter["required"] === true || parameter["in"] === "path") return { refused: member.skipped };
      notes.push(member.skipped);
    } else members.push(member);
  }
  const body = planBody(operation, members, document);
  if (body !== undefined && "refused" in body) return body;
  const all = [...members, ...(body?.members ?? [])];
  const required = all.filter(({ isRequired }) => isRequired).map(({ field }) => field.name);
  const properties = Object.fromEntries(all.map(({ field, schema }) => [field.name, schema]));
  return {
    schema: limitPatterns({
      type: "object",
      ...(required.length === 0 ? {} : { required }),
      ...(all.length === 0 ? {} : { properties }),
      additionalProperties: false,
    }),
    fields: all.map(({ field }) => field),
    ...(body === undefined ? {} : { body: body.plan }),
    shown: Object.fromEntries(all.flatMap(({ field, shown }) => (shown === undefined ? [] : [[field.name, shown]]))),
    notes,
  };
}

interface Member {
  readonly field: Field;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly shown?: unknown;
}

/** Lists the parameters, with those that stand in the path and are declared nowhere. */
function withMissing({ path, parameters }: Operation): readonly Node[] {
  const declared = new Set(parameters.filter((one) => one["in"] === "path").map(({ name }) => name));
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  const missing = [...new Set(names)].filter((name) => !declared.has(name));
  return [...parameters, ...missing.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }))];
}

function toMember(
  parameter: Node,
  before: readonly Member[],
  document: Convertible<OpenApiDocument>,
): Member | { readonly skipped: string } {
  const wire = String(parameter["name"]);
  const place = parameter["in"];
  if (place === "cookie") return { skipped: `the cookie \`${wire}\`` };
  if (place === "header" && OTHER_HEADERS.test(wire))
    return { skipped: `the header \`${wire}\`, which is set already` };
  if (place !== "path" && place !== "query" && place !== "header")
    return { skipped: `the parameter \`${wire}\`, which has no place` };
  const style = String(parameter["style"]);
  if (place === "path" && (style === "label" || style === "matrix")) {
    return { skipped: `\`${wire}\` in its path in the style \`${style}\`` };
  }
  const [media] = Object.values(nodeOf(parameter["content"]));
  const source = media === undefined ? (parameter["schema"] ?? {}) : nodeOf(media)["schema"];
  const converted = document.convert(source, "input");
  const { description: inner, ...schema } = converted;
  const own = toPlainText(parameter["description"], MAX_DESCRIPTION);
  const standard = /Default: `[^`]*`\.$/.exec(String(inner))?.[0] ?? "";
  const description = own === "" ? inner : [own, own.includes("efault") ? "" : standard].join(" ").trim();
  const encoding = media === undefined ? encodingOf(parameter, schema) : "json";
  return {
    field: {
      name: findFree(toName(wire, place), place, before),
      wire,
      place,
      ...(encoding === undefined ? {} : { encoding }),
    },
    schema: { ...schema, ...(description === undefined ? {} : { description }) },
    isRequired: parameter["required"] === true || place === "path",
    shown: exampleOf(parameter, document) ?? exampleOf(document.resolve(source) ?? {}, document),
  };
}

const MAX_DESCRIPTION = 400;

/** `filter[name]` becomes `filter_name`, the header `X-Trace` becomes `x_trace`. */
function toName(wire: string, place: string): string {
  const plain = place === "header" ? wire.toLowerCase() : wire;
  if (MEMBER.test(plain)) return plain;
  const name = plain
    .replaceAll(/[^A-Za-z0-9_]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 60);
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

function findFree(name: string, place: string, before: readonly Member[]): string {
  const isTaken = (one: string) => before.some(({ field }) => field.name === one);
  let free = name;
  for (let count = 1; isTaken(free); count++) free = count === 1 ? `${place}_${name}`.slice(0, 60) : `${name}_${count}`;
  return free;
}

function encodingOf(parameter: Node, schema: Schema): Encoding | undefined {
  if (parameter["in"] !== "query") return undefined;
  const types = new Set([schema["type"]].flat());
  const style = textOf(parameter["style"]) ?? "form";
  if (style === "deepObject") return "deep";
  const isObject = types.has("object");
  if (!types.has("array") && !isObject) return undefined;
  if (style === "spaceDelimited") return "spaces";
  if (style === "pipeDelimited") return "pipes";
  if (parameter["explode"] === false) return "commas";
  return isObject ? "spread" : undefined;
}

type PlannedBody = { readonly plan: BodyPlan; readonly members: readonly Member[] };

function planBody(
  operation: Operation,
  before: readonly Member[],
  document: Convertible<OpenApiDocument>,
): PlannedBody | Refusal | undefined {
  const { body, method } = operation;
  const content = Object.entries(nodeOf(body?.["content"]));
  if (body === undefined || content.length === 0) return undefined;
  if (method === "GET" || method === "HEAD") {
    return body["required"] === true ? { refused: `a ${method} request with a body` } : undefined;
  }
  const [type, media, kind] = chooseMedia(content) ?? [];
  if (type === undefined || kind === undefined) {
    return { refused: `a body of ${content.map(([name]) => `\`${name}\``).join(" or ")}` };
  }
  const source = nodeOf(media)["schema"] ?? {};
  const schema = document.convert(source, "input");
  const hasBrackets = Object.values(nodeOf(nodeOf(media)["encoding"])).some(
    (one) => nodeOf(one)["style"] === "deepObject",
  );
  const shown = exampleOf(nodeOf(media), document) ?? exampleOf(document.resolve(source) ?? {}, document);
  const isFlat = kind !== "text" && isFlattable(schema, before);
  const plan: BodyPlan = { kind, type, isFlat, hasBrackets };
  if (!isFlat) {
    const description = toPlainText(body["description"], MAX_DESCRIPTION) || schema["description"];
    const whole: Schema = kind === "text" ? { type: "string" } : schema;
    const described = { ...whole, ...(description === undefined ? {} : { description }) };
    const name = findFree("body", "request", before);
    const field: Field = { name, wire: "", place: "body" };
    return {
      plan,
      members: [{ field, schema: described, isRequired: body["required"] === true || kind === "text", shown }],
    };
  }
  const required = new Set(listOf(schema["required"]));
  const members = Object.entries(nodeOf(schema["properties"])).map(([name, one]): Member => {
    const field: Field = { name, wire: name, place: "body" };
    return { field, schema: { ...nodeOf(one) }, isRequired: required.has(name), shown: nodeOf(shown)[name] };
  });
  return { plan, members };
}

function chooseMedia(content: readonly [string, unknown][]): readonly [string, unknown, BodyPlan["kind"]] | undefined {
  const json = findJson(content);
  if (json !== undefined) return [json[0] === "*/*" ? "application/json" : json[0], json[1], "json"];
  const form = content.find(([type]) => type.startsWith("application/x-www-form-urlencoded"));
  if (form !== undefined) return [...form, "form"];
  const text = content.find(([type]) => isText(type));
  return text === undefined ? undefined : [...text, "text"];
}

function isFlattable(schema: Schema, before: readonly Member[]): boolean {
  const names = Object.keys(nodeOf(schema["properties"]));
  const isPlain =
    schema["type"] === "object" &&
    !("anyOf" in schema) &&
    [undefined, false].includes(schema["additionalProperties"] as undefined);
  return (
    isPlain &&
    names.length > 0 &&
    names.every((name) => BODY_MEMBER.test(name) && !before.some(({ field }) => field.name === name))
  );
}

/** Finds the example of a parameter, a media type or a schema. */
export function exampleOf(node: Node, { resolve }: Pick<OpenApiDocument, "resolve">): unknown {
  if (node["example"] !== undefined) return node["example"];
  const { examples } = node;
  if (Array.isArray(examples)) return examples[0];
  const [first] = Object.values(nodeOf(examples));
  return first === undefined ? undefined : resolve(first)?.["value"];
}

/** Drops all patterns where there are more than a schema may have. */
function limitPatterns(schema: Schema): Schema {
  const text = JSON.stringify(schema);
  if ((text.match(/"pattern":/g) ?? []).length <= MAX_PATTERNS) return schema;
  return JSON.parse(text, function (this: unknown, key: string, value: unknown) {
    return key === "pattern" && typeof value === "string" ? undefined : value;
  }) as Schema;
}
