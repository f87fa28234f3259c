import { describe, expect, test } from "vitest";
import { createDocument } from "../../../../server/imports/openapi/document.ts";
import { fromSwagger2 } from "../../../../server/imports/openapi/from-swagger-2.ts";
import { listOperations } from "../../../../server/imports/openapi/list-operations.ts";
import { planTools } from "../../../../server/imports/openapi/plan-tools.ts";

const SWAGGER = {
  swagger: "2.0",
  info: { title: "Pets" },
  host: "pets.example",
  basePath: "/v1",
  schemes: ["http", "https"],
  consumes: ["application/json"],
  securityDefinitions: { login: { type: "basic" } },
  security: [{ login: [] }],
  parameters: { limit: { name: "limit", in: "query", type: "integer", maximum: 9, exclusiveMaximum: true } },
  definitions: { Pet: { type: "object", required: ["name"], properties: { name: { type: "string" } } } },
  paths: {
    "/pets": {
      parameters: [{ $ref: "#/parameters/limit" }],
      get: {
        operationId: "listPets",
        parameters: [
          { name: "tags", in: "query", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
        ],
        responses: { 200: { description: "ok", schema: { type: "array", items: { $ref: "#/definitions/Pet" } } } },
      },
      post: {
        operationId: "addPet",
        parameters: [{ name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } }],
        responses: { 201: { description: "made" } },
      },
    },
    "/login": {
      post: {
        operationId: "login",
        consumes: ["application/x-www-form-urlencoded"],
        parameters: [{ name: "user", in: "formData", type: "string", required: true }],
        responses: { 204: { description: "in" } },
      },
    },
    "/photos": {
      post: {
        operationId: "addPhoto",
        parameters: [{ name: "photo", in: "formData", type: "file" }],
        responses: { 204: { description: "made" } },
      },
    },
  },
};

describe("fromSwagger2", () => {
  const document = createDocument(fromSwagger2(SWAGGER));
  const names = new Map(listOperations(document).map((operation) => [operation, operation.id ?? ""]));
  const options = {
    server: "pets",
    source: "pets.json",
    baseUrl: undefined,
    auth: undefined,
    secrets: new Map(),
    secret: "PETS",
    taken: new Set<string>(),
    isAgain: false,
  };
  const { plans, refused } = planTools(names, document, options);
  const find = (stem: string) => plans.find((plan) => plan.stem === stem);

  test("keeps parameters, lists and their formats", () => {
    expect(find("listPets")?.input.fields).toEqual([
      { name: "limit", wire: "limit", place: "query" },
      { name: "tags", wire: "tags", place: "query", encoding: "pipes" },
    ]);
    expect(find("listPets")?.input.schema["properties"]).toEqual({
      limit: { type: "integer", exclusiveMaximum: 9 },
      tags: { type: "array", items: { type: "string" } },
    });
    expect(find("listPets")?.output.schema).toMatchObject({ properties: { items: { items: { required: ["name"] } } } });
  });

  test("keeps bodies, forms, addresses and credentials", () => {
    expect(find("addPet")?.input.schema["required"]).toEqual(["name"]);
    expect(find("login")?.input.body).toMatchObject({ kind: "form", isFlat: true });
    expect(find("login")?.base).toEqual({ url: "https://pets.example/v1", host: "pets.example" });
    expect(find("login")?.secrets).toEqual([
      { scheme: "login", name: "PETS", header: "Authorization", format: "Basic {}" },
    ]);
  });

  test("files stay what cannot be sent", () => {
    expect(refused.map(({ operation, reason }) => [operation.id, reason])).toEqual([
      ["addPhoto", "a body of `multipart/form-data`"],
    ]);
  });
});
