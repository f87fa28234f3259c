import { describe, expect, test } from "vitest";
import { createDocument } from "../../../../server/imports/openapi/document.ts";
import { listOperations } from "../../../../server/imports/openapi/list-operations.ts";
import { planTools } from "../../../../server/imports/openapi/plan-tools.ts";
import { nameTools } from "../../../../server/imports/openapi/tool-names.ts";

type Node = Readonly<Record<string, unknown>>;

/** Plans all operations of a document; `operations` are by `METHOD /path`. */
function plan(
  operations: Readonly<Record<string, Node>>,
  rest: Node = {},
  known: ReadonlyMap<string, string> = new Map(),
  { taken = new Set<string>(), auth = undefined as string | undefined } = {},
) {
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
    secret: "ZOO",
    secrets: known,
    taken,
    auth,
    isAgain: known.size > 0,
  });
}

/** Reasons of refused operations, by key. */
const toReasons = ({ refused }: ReturnType<typeof plan>) =>
  Object.fromEntries(refused.map(({ operation, reason }) => [operation.key, reason]));

describe("operations that are refused", () => {
  test("have a path that does not begin with `/`, which would go on with the name of the host", () => {
    const planned = plan({ "GET {host}/a": {}, "GET /a": {} });
    expect(planned.plans.map(({ operation }) => operation.key)).toEqual(["GET /a"]);
    expect(toReasons(planned)).toEqual({ "GET {host}/a": "a path that does not begin with `/`" });
  });

  test("are a reference that leads nowhere as a whole, or their whole path is", () => {
    const document = createDocument({
      servers: [{ url: "https://zoo.example/v1" }],
      paths: { "/a": { get: { $ref: "#/x/gone" }, post: {} }, "/b": { $ref: "other.yaml#/b" } },
    });
    const names = nameTools(listOperations(document), { server: "zoo", known: new Map() });
    const options = { server: "zoo", source: "zoo.yaml", baseUrl: undefined, auth: undefined, secret: "ZOO" };
    const planned = planTools(names, document, { ...options, secrets: new Map(), taken: new Set(), isAgain: false });
    expect(planned.plans.map(({ operation }) => operation.key)).toEqual(["POST /a"]);
    expect(toReasons(planned)).toEqual({
      "GET /a": "references that lead nowhere in the document (#/x/gone)",
      "ANY /b": "references that lead nowhere in the document (other.yaml#/b)",
    });
  });

  test("refer to what is not in the document, however deep", () => {
    const ref = (target: string) => ({ $ref: target });
    const answer = (schema: Node, rest: Node = {}) => ({
      responses: { 200: { content: { "application/json": { schema, ...rest } } } },
    });
    const schemas = {
      Zone: {
        type: "object",
        properties: { keeper: ref("#/components/schemas/Keeper"), example: ref("#/components/schemas/Zone") },
      },
      Keeper: { allOf: [{ type: "array", items: ref("#/components/schemas/Zone") }, ref("#/components/schemas/Gone")] },
      Circle: ref("#/components/schemas/Circle"),
      Fine: { type: "object", properties: { fine: ref("#/components/schemas/Fine") } },
    };
    const planned = plan(
      {
        "GET /schema": answer(ref("#/components/schemas/Nope")),
        "GET /file": answer({ type: "array", items: ref("other.yaml#/X") }),
        "GET /passwd": answer({ type: "object", properties: { example: ref("file:///etc/passwd") } }),
        "GET /deep": answer(ref("#/components/schemas/Zone")),
        "GET /circle": { parameters: [{ name: "a", in: "query", schema: ref("#/components/schemas/Circle") }] },
        "POST /body": { requestBody: { content: { "application/json": { schema: ref("#/x") } } } },
        "GET /fine": answer(ref("#/components/schemas/Fine"), { example: ref("#/data"), "x-note": ref("#/data") }),
      },
      { components: { schemas } },
    );
    const lost = (target: string) => `references that lead nowhere in the document (${target})`;
    expect(toReasons(planned)).toEqual({
      "GET /schema": lost("#/components/schemas/Nope"),
      "GET /file": lost("other.yaml#/X"),
      "GET /passwd": lost("file:///etc/passwd"),
      "GET /deep": lost("#/components/schemas/Gone"),
      "GET /circle": lost("#/components/schemas/Circle"),
      "POST /body": lost("#/x"),
    });
  });

  test("have members named `__proto__`", () => {
    const schema = JSON.parse(
      '{ "type": "object", "properties": { "a": { "properties": { "__proto__": {} } } } }',
    ) as Node;
    const content = { content: { "application/json": { schema } } };
    const planned = plan({
      "GET /parameter": { parameters: [{ name: "__proto__", in: "query" }] },
      "GET /{__proto__}": {},
      "POST /body": { requestBody: content },
      "GET /answer": { responses: { 200: content } },
      "GET /text": { parameters: [{ name: "a", in: "query", description: 'Not "__proto__": it is a.' }] },
    });
    expect(planned.plans.map(({ operation }) => operation.key)).toEqual(["GET /text"]);
    expect(new Set(Object.values(toReasons(planned)))).toEqual(
      new Set(["a member `__proto__`, which no manifest declares"]),
    );
  });
});

describe("secrets", () => {
  const SCHEMES = {
    key: { type: "apiKey", in: "header", name: "X-Zoo-Key" },
    keeperLogin: { type: "oauth2" },
    "keeper-login": { type: "http", scheme: "bearer" },
    鍵: { type: "apiKey", in: "query", name: "k" },
  };
  const COMPONENTS = { components: { securitySchemes: SCHEMES } };
  const needing = (...schemes: readonly string[]) => ({
    security: [Object.fromEntries(schemes.map((one) => [one, []]))],
  });
  const namesOf = ({ plans }: ReturnType<typeof plan>) =>
    Object.fromEntries(plans.map(({ operation, secrets }) => [operation.key, secrets.map(({ name }) => name)]));

  test("have the name of the import where there is one credential", () => {
    const planned = plan({ "GET /a": needing("key"), "GET /b": needing("key"), "GET /c": {} }, COMPONENTS);
    expect(namesOf(planned)).toEqual({ "GET /a": ["ZOO"], "GET /b": ["ZOO"], "GET /c": [] });
    expect(planned.secrets).toEqual(new Map([["key", "ZOO"]]));
  });

  test("have a name each where there are several, so that no API gets a key as another's token", () => {
    const operations = {
      "GET /a": needing("key"),
      "POST /a": needing("keeperLogin"),
      "GET /b": needing("key", "keeper-login"),
      "GET /c": needing("鍵"),
    };
    expect(namesOf(plan(operations, COMPONENTS))).toEqual({
      "GET /a": ["ZOO_KEY"],
      "POST /a": ["ZOO_KEEPER_LOGIN"],
      "GET /b": ["ZOO_KEY", "ZOO_KEEPER_LOGIN_2"],
      "GET /c": ["ZOO"],
    });
  });

  test("keep the names of earlier imports, whatever the document adds or has no more", () => {
    const first = plan({ "GET /a": needing("key") }, COMPONENTS);
    const second = plan({ "GET /a": needing("key"), "POST /a": needing("keeperLogin") }, COMPONENTS, first.secrets);
    expect(namesOf(second)).toEqual({ "GET /a": ["ZOO"], "POST /a": ["ZOO_KEEPER_LOGIN"] });
    const third = plan({ "POST /a": needing("keeperLogin") }, COMPONENTS, second.secrets);
    expect(namesOf(third)).toEqual({ "POST /a": ["ZOO_KEEPER_LOGIN"] });
    expect(third.secrets).toEqual(second.secrets);
  });

  test("have no name that another import has, also where a person names the credentials", () => {
    const taken = new Set(["ZOO", "ZOO_KEY"]);
    expect(namesOf(plan({ "GET /a": needing("key") }, COMPONENTS, new Map(), { taken }))).toEqual({
      "GET /a": ["ZOO_2"],
    });
    const operations = { "GET /a": needing("key"), "POST /a": needing("keeperLogin") };
    expect(namesOf(plan(operations, COMPONENTS, new Map(), { taken }))).toEqual({
      "GET /a": ["ZOO_KEY_2"],
      "POST /a": ["ZOO_KEEPER_LOGIN"],
    });
    const given = plan({ "GET /a": {} }, {}, new Map(), { taken, auth: "bearer" });
    expect(namesOf(given)).toEqual({ "GET /a": ["ZOO_2"] });
    // Again, and with another import that has taken the number since.
    const again = plan({ "GET /a": {} }, {}, given.secrets, { taken: new Set(["ZOO_2"]), auth: "bearer" });
    expect(namesOf(again)).toEqual({ "GET /a": ["ZOO_2"] });
  });

  test("count only the credentials of operations that become tools", () => {
    const refused = { ...needing("keeperLogin"), responses: { 302: { description: "A file" } } };
    expect(namesOf(plan({ "GET /a": needing("key"), "GET /b": refused }, COMPONENTS))).toEqual({ "GET /a": ["ZOO"] });
  });
});
