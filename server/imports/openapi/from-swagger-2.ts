import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import { listOf, type Node, nodeOf, textOf } from "./document.ts";

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch"]);
const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];
/** Styles of OpenAPI 3 for the formats of lists in Swagger 2.0; `tsv` has none. */
const STYLES: Readonly<Record<string, Node>> = {
  csv: { style: "form", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
};
/** Members of a parameter that are about the parameter; the others are about its value. */
const OF_PARAMETERS = new Set(["name", "in", "description", "required", "allowEmptyValue", "collectionFormat"]);

/**
 * Converts a document of Swagger 2.0 into one of OpenAPI 3.0, as far as an import reads it: servers, parameters, bodies,
 * responses and security. Schemas stay under `definitions`, and references to them stay as they are.
 */
export function fromSwagger2(root: Node): Node {
  const parameters = nodeOf(root["parameters"]);
  const follow = (value: unknown): Node => {
    const node = nodeOf(value);
    const [, name] = /^#\/parameters\/(.+)$/.exec(String(node["$ref"])) ?? [];
    return name === undefined ? node : nodeOf(parameters[name]);
  };
  const schemes = Object.entries(nodeOf(root["securityDefinitions"]));
  return {
    ...root,
    openapi: "3.0.3",
    servers: toServers(root),
    paths: mapValues(nodeOf(root["paths"]), (item) => {
      const shared = listOf(nodeOf(item)["parameters"]).map(follow);
      return mapValues(nodeOf(item), (operation, key) => {
        if (key === "parameters") return [];
        return METHODS.has(key) ? toOperation(nodeOf(operation), shared, follow, root) : operation;
      });
    }),
    components: { securitySchemes: Object.fromEntries(schemes.map(([name, scheme]) => [name, toScheme(scheme)])) },
  };
}

function toServers(root: Node): readonly Node[] {
  const host = textOf(root["host"]);
  const schemes = listOf(root["schemes"]);
  const base = textOf(root["basePath"]) ?? "";
  if (host === undefined) return base === "" ? [] : [{ url: base }];
  const scheme = schemes.length === 0 || schemes.includes("https") ? "https" : String(schemes[0]);
  return [{ url: `${scheme}://${host}${base}` }];
}

function toOperation(operation: Node, shared: readonly Node[], follow: (value: unknown) => Node, root: Node): Node {
  const own = listOf(operation["parameters"]).map(follow);
  const isOwn = ({ name, in: place }: Node) => own.some((one) => one["name"] === name && one["in"] === place);
  const all = [...shared.filter((one) => !isOwn(one)), ...own];
  const takes = listOf(operation["consumes"] ?? root["consumes"]).map(String);
  const gives = listOf(operation["produces"] ?? root["produces"]).map(String);
  const requestBody = toBody(all, takes);
  const { parameters: _parameters, ...rest } = operation;
  return {
    ...rest,
    parameters: all.filter(({ in: place }) => place !== "body" && place !== "formData").map(toParameter),
    ...defined({ requestBody }),
    responses: mapValues(nodeOf(operation["responses"]), (response) => toResponse(response, gives, root)),
  };
}

function toParameter(parameter: Node): Node {
  const { name, in: place, description, required } = parameter;
  const format = parameter["collectionFormat"] ?? "csv";
  const style = parameter["type"] === "array" && place === "query" ? STYLES[String(format)] : undefined;
  return { ...defined({ name, in: place, description, required }), schema: toSchema(parameter), ...style };
}

function toSchema(parameter: Node): Node {
  return Object.fromEntries(Object.entries(parameter).filter(([key]) => !OF_PARAMETERS.has(key)));
}

function toBody(parameters: readonly Node[], takes: readonly string[]): Node | undefined {
  const body = parameters.find(({ in: place }) => place === "body");
  if (body !== undefined) {
    const types = takes.filter((type) => !FORMS.includes(type));
    const media = types.length === 0 ? ["application/json"] : types;
    const content = Object.fromEntries(media.map((type) => [type, { schema: body["schema"] }]));
    return { ...defined({ description: body["description"], required: body["required"] }), content };
  }
  const fields = parameters.filter(({ in: place }) => place === "formData");
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type }) => type === "file");
  const type = hasFile ? "multipart/form-data" : (takes.find((one) => FORMS.includes(one)) ?? FORMS[0] ?? "");
  const describe = (field: Node) => ({ ...toSchema(field), ...defined({ description: field["description"] }) });
  const schema = {
    type: "object",
    required: fields.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [String(field["name"]), describe(field)])),
  };
  return { content: { [type]: { schema } } };
}

function toResponse(value: unknown, gives: readonly string[], root: Node): Node {
  const [, name] = /^#\/responses\/(.+)$/.exec(String(nodeOf(value)["$ref"])) ?? [];
  const response = name === undefined ? nodeOf(value) : nodeOf(nodeOf(root["responses"])[name]);
  const { schema, examples, ...rest } = response;
  if (schema === undefined) return rest;
  const types = gives.length === 0 ? ["application/json"] : gives;
  const content = types.map((type) => [type, { schema, ...defined({ example: nodeOf(examples)[type] }) }]);
  return { ...rest, content: Object.fromEntries(content) as Node };
}

function toScheme(value: unknown): Node {
  const scheme = nodeOf(value);
  return scheme["type"] === "basic" ? { ...scheme, type: "http", scheme: "basic" } : scheme;
}

function mapValues(node: Node, change: (value: unknown, key: string) => unknown): Node {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      isObject(value) || key === "parameters" ? change(value, key) : value,
    ]),
  );
}
