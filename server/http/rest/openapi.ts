import type { JsonSchema } from "../../host-api.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { type Deprecation, describeTool } from "../../versions/retirement/deprecation.ts";
import { toLatestDraft } from "../../json/schema-draft.ts";
import { listPlotNames } from "./plots.ts";
import { defined } from "../../json/defined.ts";
import { PROBLEM_COMPONENTS } from "./problem-components.ts";
import { VERSION_API } from "./version-api.ts";

/** OpenAPI 3.1 of the REST interface to `tools` of a version, generated from the same manifests that MCP is served from. */
export function toOpenApi(version: Version, tools: readonly Tool[], deprecated?: Deprecation) {
  return {
    openapi: "3.1.1",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: toTitle(version),
      description: version.agent.description,
      version: version.semver,
    },
    servers: [{ url: `/agent/${version.commit}`, description: toServed(version) }],
    // A service on one's own machine may need no token.
    security: [{ bearer: [] }, {}],
    tags: [...version.servers.values()].map(({ name, description }) => ({ name, description })),
    paths: {
      "/api/tools": {
        get: {
          operationId: "list_tools",
          summary: "The tools of this version with their definitions",
          responses: { "200": { description: "All definitions", content: json({ type: "object" }) }, default: PROBLEM },
        },
      },
      ...toPlotPath(version),
      "/versions/{version}": VERSION_API.path,
      ...Object.fromEntries(
        tools.map((tool) => [`/api/tools/${encodeURIComponent(tool.name)}`, toPathItem(tool, deprecated)]),
      ),
    },
    components: {
      schemas: {
        ...Object.fromEntries(
          tools.flatMap((tool) => [
            [componentOf(tool, "input"), embed(tool.input, componentOf(tool, "input"))],
            [componentOf(tool, "output"), embed(tool.output, componentOf(tool, "output"))],
          ]),
        ),
        Problem: PROBLEM_COMPONENTS.schema,
        ...VERSION_API.schemas,
      },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: PROBLEM_COMPONENTS.securitySchemes,
      responses: PROBLEM_COMPONENTS.responses,
    },
  };
}

function toTitle({ agent, preview }: Version): string {
  const title = agent.title ?? agent.name;
  return preview === undefined ? title : `${title} (preview of pull request ${preview})`;
}

function toServed({ semver, ceiling, preview }: Version): string {
  if (ceiling === undefined) return `Version ${semver}, for ever`;
  if (preview !== undefined) return `A preview of pull request ${preview}, as long as that is open`;
  return `What would be version ${semver}; it answers no calls, because no served tag leads to it`;
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same call under the same key is done once, and answered again for 24 hours",
  schema: { type: "string", maxLength: 130 },
};

const PROBLEM = { $ref: "#/components/responses/Problem" };

function toPlotPath(version: Version) {
  const names = listPlotNames(version);
  if (names.length === 0) return {};
  return {
    "/api/plots/{name}": {
      get: {
        operationId: "get_plot",
        summary: "A picture of an experiment, as of now",
        parameters: [{ name: "name", in: "path", required: true, schema: { type: "string", enum: names } }],
        responses: {
          "200": {
            description: "The picture; its ETag changes with the experiment's events",
            content: { "image/svg+xml": { schema: { type: "string" } } },
          },
          "304": { description: "The picture is the one that `If-None-Match` names" },
          default: PROBLEM,
        },
      },
    },
  };
}

function toPathItem(tool: Tool, deprecated: Deprecation | undefined) {
  const examples = tool.examples.map(({ description, input }, index) => [
    `example${index + 1}`,
    { ...defined({ summary: description }), value: input },
  ]);
  return {
    post: {
      operationId: tool.name,
      tags: [tool.server],
      summary: tool.title ?? tool.name,
      description: describeTool(tool),
      ...((tool.deprecated ?? deprecated) === undefined ? {} : { deprecated: true }),
      parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${componentOf(tool, "input")}` },
            ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
          },
        },
      },
      responses: {
        "200": {
          description: "The tool's output",
          headers: {
            "Cairn-Conversation-Id": {
              description: "Names this call for feedback and logs",
              schema: { type: "string", format: "uuid" },
            },
          },
          content: json({ $ref: `#/components/schemas/${componentOf(tool, "output")}` }),
        },
        ...(tool.approvals.length === 0 ? {} : { "202": WAITS }),
        default: PROBLEM,
      },
    },
  };
}

const WAITS = {
  description: "The call waits until somebody else has approved it",
  headers: { Location: { description: "Where its outcome can be read", schema: { type: "string" } } },
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

function json(schema: JsonSchema) {
  return { "application/json": { schema } };
}

/**
 * The schema as a component. One without `$id` takes the document as its base, so its own `#/...` references are
 * pointed to where it now stands; one with `$id` is a resource of its own, where they stay right.
 */
function embed(written: JsonSchema, component: string): unknown {
  const schema = toLatestDraft(written);
  return "$id" in schema ? schema : relocate(schema, `#/components/schemas/${component}`);
}

/** OpenAPI names components with `[A-Za-z0-9._-]`; tool names may have slashes besides. */
function componentOf(tool: Tool, part: "input" | "output"): string {
  return `${tool.name.replaceAll("/", "__")}.${part}`;
}

/** Keywords whose values are data, where a key named `$ref` means nothing. */
const DATA_KEYWORDS = new Set(["const", "enum", "default", "examples"]);

function relocate(value: unknown, at: string): unknown {
  if (Array.isArray(value)) return value.map((item) => relocate(item, at));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === "$ref" && typeof item === "string" && (item === "#" || item.startsWith("#/"))
        ? [key, at + item.slice(1)]
        : [key, DATA_KEYWORDS.has(key) ? item : relocate(item, at)],
    ),
  );
}
