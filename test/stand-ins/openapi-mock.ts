import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../helpers/temporary.ts";

type Node = Record<string, unknown>;

/** An API that answers as its OpenAPI 3 document says, and refuses requests that the document does not allow. */
export interface MockApi {
  readonly url: string;
  /** Requests so far: `GET /pets?limit=2`, and the body behind it. */
  readonly requests: readonly string[];
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly literals: number;
  readonly item: Node;
  readonly operation: Node;
}

/** Starts the API of a document below the path of its server. It shares no code with the import that it judges. */
export async function startMockApi(document: Node, atEnd: AtEnd = onTestFinished): Promise<MockApi> {
  const base = new URL(String((document["servers"] as Node[])[0]?.["url"]), "https://x/").pathname.replace(/\/$/, "");
  const routes = listRoutes(document, base);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void answer({ document, routes, requests }, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function listRoutes(document: Node, base: string): readonly Route[] {
  return Object.entries(document["paths"] as Node)
    .flatMap(([path, value]) => {
      const item = follow(document, value);
      const escaped = path.split(/\{[^{}]+\}/).map((part) => RegExp.escape(part));
      const pattern = new RegExp(`^${RegExp.escape(base)}${escaped.join("([^/]*)")}$`);
      return ["get", "post", "put", "patch", "delete", "head"].flatMap((method): Route[] => {
        if (item[method] === undefined) return [];
        const literals = escaped.join("").length;
        return [{ method: method.toUpperCase(), pattern, literals, item, operation: follow(document, item[method]) }];
      });
    })
    .sort((a, b) => b.literals - a.literals);
}

async function answer(
  { document, routes, requests }: { document: Node; routes: readonly Route[]; requests: string[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const url = new URL(request.url ?? "/", "http://x");
  requests.push(`${request.method} ${request.url}${body === "" ? "" : ` ${body}`}`);
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname));
  const problem = route === undefined ? `no route ${url.pathname}` : findProblem(document, route, url, request, body);
  if (route === undefined || problem !== undefined) {
    response.writeHead(route === undefined ? 404 : 400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: problem } }));
    return;
  }
  const { status, type, value } = toAnswer(document, route.operation);
  response.writeHead(status, type === undefined ? {} : { "content-type": type });
  response.end(type === undefined ? undefined : type.includes("json") ? JSON.stringify(value) : String(value));
}

function findProblem(document: Node, { item, operation }: Route, url: URL, request: IncomingMessage, body: string) {
  const parameters = [...list(item["parameters"]), ...list(operation["parameters"])].map((one) =>
    follow(document, one),
  );
  for (const { in: place, name, required } of parameters) {
    if (required !== true) continue;
    const isGiven =
      place === "query"
        ? [...url.searchParams.keys()].some((key) => key === name || key.startsWith(`${String(name)}[`))
        : place !== "header" ||
          typeof request.headers[String(name).toLowerCase()] === "string" ||
          /^(?:accept|authorization|content-type|user-agent)$/i.test(String(name));
    const schema = follow(document, follow(document, parameters.find((one) => one["name"] === name)?.["schema"]));
    if (!isGiven && schema["type"] !== "object" && schema["type"] !== "array")
      return `the ${String(place)} lacks ${String(name)}`;
  }
  const content = (follow(document, operation["requestBody"])["content"] ?? {}) as Node;
  const json = content["application/json"] as Node | undefined;
  if (json === undefined || request.method === "GET") return undefined;
  const { required = [] } = follow(document, json["schema"]) as { required?: string[] };
  const isRequired = follow(document, operation["requestBody"])["required"] === true;
  if (body === "") return isRequired ? "the body is missing" : undefined;
  if (request.headers["content-type"]?.includes("json") !== true) return "the body is not declared as JSON";
  const properties = (follow(document, json["schema"])["properties"] ?? {}) as Node;
  const sent = JSON.parse(body) as Node;
  const missing = required.find(
    (name) => !(name in sent) && name in properties && follow(document, properties[name])["readOnly"] !== true,
  );
  return missing === undefined ? undefined : `the body lacks ${missing}`;
}

function toAnswer(document: Node, operation: Node): { status: number; type: string | undefined; value: unknown } {
  const responses = Object.entries((operation["responses"] ?? {}) as Node).map(
    ([status, one]) => [status, follow(document, one)] as const,
  );
  const good = responses.filter(([status]) => status.startsWith("2")).sort(([a], [b]) => (a < b ? -1 : 1));
  const [status, response] = good.find(([, one]) => Object.keys((one["content"] ?? {}) as Node).length > 0) ??
    good[0] ??
    responses.find(([one]) => one === "default") ?? ["200", {}];
  const content = Object.entries((response["content"] ?? {}) as Node);
  const [type, media] = content.find(([one]) => one.includes("json")) ?? content[0] ?? [];
  const code = /^\d+$/.test(status) ? Number(status) : 200;
  if (type === undefined) return { status: code, type: undefined, value: undefined };
  const value = sample(document, (media as Node)["schema"], 0);
  return { status: code, type: type.includes("*") ? "application/json" : type, value };
}

/** A value by the document's own words: examples would be as wrong as they often are, so types decide. */
function sample(document: Node, schema: unknown, depth: number): unknown {
  const node = follow(document, schema);
  if (list(node["enum"]).length > 0) return list(node["enum"])[0];
  if (node["const"] !== undefined) return node["const"];
  const all = list(node["allOf"]);
  if (all.length > 0) {
    const parts = all.map((part) => sample(document, part, depth));
    const own = node["properties"] === undefined ? {} : sample(document, { ...node, allOf: undefined }, depth);
    return parts.every((part) => typeof part === "object" && part !== null && !Array.isArray(part))
      ? Object.assign({}, ...parts, own)
      : parts[0];
  }
  const [alternative] = [...list(node["oneOf"]), ...list(node["anyOf"])];
  if (alternative !== undefined && node["properties"] === undefined) return sample(document, alternative, depth);
  const type =
    [node["type"]].flat()[0] ??
    (node["properties"] === undefined ? (node["items"] === undefined ? "string" : "array") : "object");
  if (type === "object") return sampleMembers(document, node, depth);
  if (type === "array") return depth > 8 ? [] : [sample(document, node["items"], depth + 1)];
  return { boolean: true, integer: 1, number: 1.5, null: null }[String(type)] ?? (type === "null" ? null : "text");
}

function sampleMembers(document: Node, node: Node, depth: number): Node {
  const required = new Set<unknown>(list(node["required"]));
  const members = Object.entries((node["properties"] ?? {}) as Node).filter(([name, value]) => {
    const inner = follow(document, value);
    return inner["writeOnly"] !== true && (required.has(name) || depth < 2);
  });
  if (depth > 12) return {};
  return Object.fromEntries(members.map(([name, value]) => [name, sample(document, value, depth + 1)]));
}

function follow(document: Node, value: unknown): Node {
  let node = (value ?? {}) as Node;
  for (let hops = 0; typeof node["$ref"] === "string" && hops < 50; hops++) {
    const steps = node["$ref"]
      .slice(2)
      .split("/")
      .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
    node = (steps.reduce<unknown>((at, step) => (at as Node | undefined)?.[step], document) ?? {}) as Node;
  }
  return node;
}

function list(value: unknown): readonly Node[] {
  return Array.isArray(value) ? (value as Node[]) : [];
}
