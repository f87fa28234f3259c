import { ERRORS } from "../../errors.ts";

/** Problem details in OpenAPI documents: a schema, a response that has it, and the scheme by which callers sign in. */
export const PROBLEM_COMPONENTS = {
  schema: {
    type: "object",
    required: ["type", "title", "status", "detail", "code", "name"],
    properties: {
      type: { type: "string", format: "uri" },
      title: { type: "string" },
      status: { type: "integer" },
      detail: { type: "string", description: "What was wrong, where, and what would be right" },
      code: { type: "integer", description: "The number of the dual code" },
      name: { enum: Object.keys(ERRORS), description: "The name of the dual code" },
      details: { description: "Structured detail, where there is some" },
      conversation_id: { type: "string", format: "uuid" },
    },
  },
  securitySchemes: {
    bearer: { type: "http", scheme: "bearer", description: "An API token, or an OAuth access token" },
  },
  responses: {
    Problem: {
      description: "What went wrong, as problem details (RFC 9457)",
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    },
  },
};
