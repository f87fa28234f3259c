import { listOf, type Node, nodeOf, type OpenApiDocument, textOf } from "./document.ts";

/** One operation of a document, with references followed and what its path shares with others. */
export interface Operation {
  /** Method and path: `GET /repos/{owner}`. Names the operation for ever, whatever its `operationId`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly id?: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly isDeprecated: boolean;
  readonly parameters: readonly Node[];
  readonly body?: Node;
  /** Responses by status. */
  readonly responses: Node;
  /** Alternatives, each an object of schemes that are all needed; undefined where the document says nothing. */
  readonly security?: readonly Node[];
  readonly servers: readonly Node[];
  /** References that lead nowhere or outside the document. */
  readonly lost: readonly string[];
}

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];

/** Lists the operations of a document, in its order. */
export function listOperations({ root, resolve }: OpenApiDocument): readonly Operation[] {
  return Object.entries(nodeOf(root["paths"])).flatMap(([path, value]) => {
    const item = resolve(value);
    // Nothing says which operations the path has: it is refused as one, and not passed over.
    if (item === undefined) return [toLost(path, "any", value)];
    return METHODS.flatMap((method) => {
      const own = item[method];
      const operation = resolve(own);
      if (operation !== undefined) return [toOperation({ root, resolve }, path, method, item, operation)];
      return own === undefined ? [] : [toLost(path, method, own)];
    });
  });
}

/** Makes an operation of which there is only a reference that leads nowhere. */
function toLost(path: string, method: string, value: unknown): Operation {
  const resolve = () => undefined;
  return { ...toOperation({ root: {}, resolve }, path, method, {}, {}), lost: [toReference(value)] };
}

/** Names a reference; of anything else, the value itself. */
function toReference(value: unknown): string {
  return String(nodeOf(value)["$ref"] ?? JSON.stringify(value));
}

function toOperation(
  { root, resolve }: Pick<OpenApiDocument, "root" | "resolve">,
  path: string,
  method: string,
  item: Node,
  operation: Node,
): Operation {
  const lost: string[] = [];
  const follow = (value: unknown): readonly Node[] => {
    const node = resolve(value);
    if (node === undefined && value !== undefined) lost.push(toReference(value));
    return node === undefined ? [] : [node];
  };
  const own = listOf(operation["parameters"]).flatMap(follow);
  const isOwn = (other: Node) => own.some((one) => one["name"] === other["name"] && one["in"] === other["in"]);
  const shared = listOf(item["parameters"]).flatMap(follow);
  const [body] = follow(operation["requestBody"]);
  const responses = Object.entries(nodeOf(operation["responses"]));
  const security = operation["security"] ?? root["security"];
  const id = textOf(operation["operationId"]);
  const summary = textOf(operation["summary"]) ?? textOf(item["summary"]);
  const description = textOf(operation["description"]) ?? textOf(item["description"]);
  return {
    key: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    ...(id === undefined ? {} : { id }),
    tags: listOf(operation["tags"]).map(String),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    isDeprecated: operation["deprecated"] === true,
    parameters: [...shared.filter((one) => !isOwn(one)), ...own],
    ...(body === undefined ? {} : { body }),
    responses: Object.fromEntries(responses.flatMap(([status, value]) => follow(value).map((one) => [status, one]))),
    ...(security === undefined ? {} : { security: listOf(security).map(nodeOf) }),
    servers:
      [operation, item, root].map(({ servers }) => listOf(servers).map(nodeOf)).find((all) => all.length > 0) ?? [],
    lost,
  };
}
