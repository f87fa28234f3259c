import { describe, expect, test } from "vitest";
import { createDocument } from "../../../../server/imports/openapi/document.ts";
import { listOperations } from "../../../../server/imports/openapi/list-operations.ts";
import { planTools } from "../../../../server/imports/openapi/plan-tools.ts";
import { nameTools } from "../../../../server/imports/openapi/tool-names.ts";

type Node = Readonly<Record<string, unknown>>;

/** Plans all operations of a document; `operations` are by `METHOD /path`. */
function plan(operations: Readonly<Record<string, Node>>, rest: Node = {}) {
  const paths: Record<string, Record<string, Node>> = {};
  for (const [key, operation] of Object.entries(operations)) {
    const [method = "", path = ""] = key.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  const document = createDocument({ servers: [{ url: "https://zoo.example/v1" }], ...rest, paths });
  const names = nameTools(listOperations(document), { server: "zoo", known: new Map() });
  return planTools(names, document, {
    server: "zoo",
    source: "zoo.yaml",
    baseUrl: undefined,
    auth: undefined,
    secret: "ZOO",
  });
}

/** Reasons of refused operations, by key. */
const toReasons = ({ refused }: ReturnType<typeof plan>) =>
  Object.fromEntries(refused.map(({ operation, reason }) => [operation.key, reason]));

describe("operations that are refused", () => {
  test("have a path that does not begin with `/`, which would go on with the name of the host", () => {
    const { plans, refused } = plan({ "GET {host}/a": {}, "GET /a": {} });
    expect(plans.map(({ operation }) => operation.key)).toEqual(["GET /a"]);
    expect(toReasons({ plans, refused })).toEqual({ "GET {host}/a": "a path that does not begin with `/`" });
  });
});
