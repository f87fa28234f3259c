import { toTypeName } from "../types/to-types.ts";
import type { Field } from "./plan-input.ts";
import type { ToolPlan } from "./plan-tools.ts";
import { toLocal, toMemberName, writeObject } from "./write-code.ts";

/** Names of query, bodies and answers in a handler, and of all that it imports. */
const TAKEN = new Set(
  "query json form text headers reply body items ctx send path readJson joined brackets asJson nextInLink nextInAddress partOf nextByCount toNumber".split(
    " ",
  ),
);
const MAX_LINE = 110;

/** Writes the handler of a tool: one request, and its answer in the form of the output. */
export function writeHandler(
  plan: ToolPlan,
  { library, baseUrl }: { readonly library: string; readonly baseUrl: string },
): string {
  const { operation, stem, output } = plan;
  const name = toLocal(
    stem.replaceAll(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    TAKEN,
  );
  const type = `${toTypeName(stem)}Input`;
  const request = toRequest(plan, baseUrl);
  const { isWhole, text } = writeAnswer(plan, request.call);
  const body = isWhole ? ` =>\n  ${text};` : ` => {\n${text}\n};`;
  const code = `const ${name}: Handler<${type}> = async (${request.parameter}, ctx)${body}`;
  const used = IMPORTS.filter((one) => new RegExp(`\\b${one}[(\`]|\\b${one}<`).test(code));
  const hasDeprecation = operation.isDeprecated ? " Deprecated by the API." : "";
  return `import type { Handler } from "cairn-gitops/host-api";
import { ${used.join(", ")} } from "../_lib/${library}";
import type { ${type} } from "./_types.ts";

/** Sends \`${operation.key.replaceAll("*/", "* /")}\`.${hasDeprecation}${output.pagination === undefined ? "" : " Goes on at `next`."} */
${code}

export default ${name};
`;
}

const IMPORTS = [
  "asJson",
  "brackets",
  "joined",
  "nextByCount",
  "nextInAddress",
  "nextInLink",
  "partOf",
  "path",
  "readJson",
  "send",
  "toNumber",
];

interface Request {
  /** First parameter of the handler. */
  readonly parameter: string;
  readonly call: string;
}

function toRequest(plan: ToolPlan, baseUrl: string): Request {
  const { operation, input, output, base } = plan;
  const { fields, body } = input;
  const isCounted = output.pagination?.from.kind === "count";
  const counted = (field: Field) =>
    isCounted &&
    (field === output.pagination?.parameter ||
      (output.pagination?.from.kind === "count" && output.pagination.from.size === field.name));
  const query = fields.filter(({ place }) => place === "query");
  const plain = query.filter((field) => field.name === field.wire && field.encoding === undefined && !counted(field));
  const flat = body?.isFlat === true ? fields.filter(({ place }) => place === "body") : [];
  // The rest of the input goes where most of it belongs.
  const restOf = flat.length >= plain.length ? flat : plain;
  const rest = restOf.length === 0 ? undefined : restOf === flat ? (body?.kind ?? "json") : "query";
  const single = fields.filter((field) => !restOf.includes(field));
  const options: [string, string][] = [];
  const queryParts = query.filter((field) => single.includes(field)).map(writeQueryMember);
  if (rest === "query")
    options.push(["query", queryParts.length === 0 ? "query" : writeObject(["...query", ...queryParts])]);
  else if (queryParts.length > 0) options.push(["query", writeObject(queryParts)]);
  const headers = fields.filter(({ place }) => place === "header");
  if (headers.length > 0) options.push(["headers", writeObject(headers.map((field) => writeMember(field)))]);
  if (body !== undefined) options.push(writeBody(plan, rest, flat));
  if (body !== undefined && body.type !== STANDARD_TYPES[body.kind]) options.push(["type", JSON.stringify(body.type)]);
  if (output.accept !== "application/json") options.push(["accept", JSON.stringify(output.accept)]);
  if (base.url !== baseUrl) options.push(["base", JSON.stringify(base.url)]);
  const written = options.map(([key, value]) => (key === value ? key : `${key}: ${value}`));
  const start = `ctx, "${operation.method}", ${writePath(plan)}`;
  const oneLine = `send(${[start, ...(written.length === 0 ? [] : [`{ ${written.join(", ")} }`])].join(", ")})`;
  const call =
    oneLine.length <= MAX_LINE - 20 || written.length === 0
      ? oneLine
      : `send(${start}, {\n    ${written.join(",\n    ")},\n  })`;
  return { parameter: writeParameter(single, rest), call };
}

const STANDARD_TYPES = { json: "application/json", form: "application/x-www-form-urlencoded", text: "text/plain" };

function writeParameter(single: readonly Field[], rest: string | undefined): string {
  if (single.length === 0) return rest ?? "_input";
  const names = single.map(({ name }) => {
    const local = toLocal(name, TAKEN);
    return local === name ? name : `${toMemberName(name)}: ${local}`;
  });
  return `{ ${[...names, ...(rest === undefined ? [] : [`...${rest}`])].join(", ")} }`;
}

function writeMember({ name, wire }: Field, value = toLocal(name, TAKEN)): string {
  const key = toMemberName(wire);
  return key === value ? key : `${key}: ${value}`;
}

function writeQueryMember(field: Field): string {
  const local = toLocal(field.name, TAKEN);
  switch (field.encoding) {
    case "commas":
      return writeMember(field, `joined(${local})`);
    case "spaces":
      return writeMember(field, `joined(${local}, " ")`);
    case "pipes":
      return writeMember(field, `joined(${local}, "|")`);
    case "json":
      return writeMember(field, `asJson(${local})`);
    case "deep":
      return `...brackets(${local}, ${JSON.stringify(field.wire)})`;
    case "spread":
      return `...${local}`;
    default:
      return writeMember(field);
  }
}

function writeBody(
  { input: { body, fields } }: ToolPlan,
  rest: string | undefined,
  flat: readonly Field[],
): [string, string] {
  const kind = body?.kind ?? "json";
  const whole = fields.find(({ place }) => place === "body");
  const members = rest === kind ? kind : writeObject(flat.map((field) => writeMember(field)));
  const value = body?.isFlat === true || whole === undefined ? members : toLocal(whole.name, TAKEN);
  return [kind, kind === "form" && body?.hasBrackets === true ? `brackets(${value})` : value];
}

function writePath({ operation: { path }, input: { fields } }: ToolPlan): string {
  if (!path.includes("{")) return JSON.stringify(path);
  const text = path.split(/\{([^{}]+)\}/).map((part, index) => {
    const field = index % 2 === 1 ? fields.find(({ place, wire }) => place === "path" && wire === part) : undefined;
    if (field === undefined) return part.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&");
    return `\${${toLocal(field.name, TAKEN)}}`;
  });
  return `path\`${text.join("")}\``;
}

/** Writes what becomes of the answer: an expression, or statements where there is a next page. */
function writeAnswer(
  { output: { kind, pagination } }: ToolPlan,
  call: string,
): { readonly isWhole: boolean; readonly text: string } {
  if (pagination === undefined) {
    const text = {
      object: `readJson(await ${call})`,
      list: `({ items: readJson(await ${call}) })`,
      value: `({ value: readJson(await ${call}) })`,
      text: `({ text: (await ${call}).text() })`,
      nothing: `({ status: (await ${call}).status })`,
    }[kind];
    return { isWhole: true, text };
  }
  const { from, parameter, isNumber } = pagination;
  const body = kind === "object" ? "body" : "items";
  const numbered = (text: string) => (isNumber ? `toNumber(${text})` : text);
  const steps = (path: readonly string[]) => path.map((step) => `, ${JSON.stringify(step)}`).join("");
  const wire = JSON.stringify(parameter.wire);
  const next = () => {
    switch (from.kind) {
      case "link":
        return numbered(`nextInLink(reply, ${wire})`);
      case "cursor":
        return numbered(`partOf(body${steps(from.path)})`);
      case "address":
        return numbered(`nextInAddress(partOf(body${steps(from.path)}), ${wire})`);
      case "last":
        return `body["has_more"] === true ? partOf<{ id: string }[]>(body, ${JSON.stringify(from.list)})?.at(-1)?.id : undefined`;
      case "count": {
        const items = from.list === undefined ? "items" : `partOf(body, ${JSON.stringify(from.list)})`;
        const [page, size] = [parameter.name, from.size].map((name) => toLocal(name, TAKEN));
        return from.step === "page"
          ? `nextByCount(${items}, ${page} ?? 1, ${size}, 1)`
          : `nextByCount(${items}, ${page} ?? 0, ${size}, ${size} ?? 0)`;
      }
    }
  };
  const reads =
    from.kind === "link"
      ? [`  const reply = await ${call};`, `  const ${body} = readJson(reply);`]
      : [`  const ${body} = readJson(await ${call});`];
  const result = kind === "object" ? `  return { ...body, next: ${next()} };` : `  return { items, next: ${next()} };`;
  return { isWhole: false, text: [...reads, result].join("\n") };
}
