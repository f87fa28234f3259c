import { readFileSync } from "node:fs";
import { ANYONE, VISITORS } from "../../create-route.ts";
import { RELEASE } from "../../../config/optional-package.ts";
import { PROBLEM_COMPONENTS } from "../problem-components.ts";
import type { Operation } from "./operation.ts";

/** OpenAPI 3.1 of the requests that read what the service knows, each with the schema of its answer. */
export function toServiceOpenApi(operations: readonly Operation[]) {
  const names = [...new Set(operations.map(({ schema }) => schema))];
  return {
    openapi: "3.1.1",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "Cairn",
      description:
        "What the service tells of its versions, and of its callers' own records. Each version has a document of its tools besides.",
      version: RELEASE,
    },
    servers: [{ url: "/", description: "The service itself" }],
    security: [{ bearer: [] }, {}],
    paths: Object.fromEntries(operations.map((operation) => [operation.path, toPathItem(operation)])),
    components: {
      schemas: {
        ...Object.fromEntries(names.map((name) => [name, loadSchema(name)])),
        Problem: PROBLEM_COMPONENTS.schema,
      },
      securitySchemes: PROBLEM_COMPONENTS.securitySchemes,
      responses: PROBLEM_COMPONENTS.responses,
    },
  };
}

function toPathItem({ path, id, summary, access, query = {}, schema }: Operation) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query).map(([name, parameter]) => ({ name, in: "query", ...parameter }));
  return {
    get: {
      operationId: id,
      summary,
      description: toAccess(access),
      ...(inPath.length + inQuery.length === 0 ? {} : { parameters: [...inPath, ...inQuery] }),
      responses: {
        "200": {
          description: summary,
          content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
        },
        default: { $ref: "#/components/responses/Problem" },
      },
    },
  };
}

function toAccess(access: string | symbol): string {
  if (typeof access === "string") return `Needs the scope \`${access}\`.`;
  return access === ANYONE || access === VISITORS ? "Needs no token." : "Needs a token of any scope.";
}

function loadSchema(name: string): object {
  const url = new URL(`../../../../schemas/${name}.schema.json`, import.meta.url);
  const { $schema: _draft, ...schema }: Record<string, unknown> = JSON.parse(readFileSync(url, "utf8"));
  return schema;
}
