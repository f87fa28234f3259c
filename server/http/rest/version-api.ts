import { LINK_CLIENTS } from "../install/install-links.ts";

/** Of the service, and of no version: so it is at the root. */
const VERSION_ITEM = {
  servers: [{ url: "/", description: "The service itself" }],
  get: {
    operationId: "describe_version",
    summary: "A version with its servers, and the links that install them in clients",
    parameters: [
      {
        name: "version",
        in: "path",
        required: true,
        description: "A version, a tag, a commit, a range, `latest` or a label",
        schema: { type: "string" },
      },
    ],
    responses: {
      "200": {
        description: "The version",
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["version", "commit_hash", "state"],
              properties: {
                version: { type: "string" },
                commit_hash: { type: "string" },
                state: { type: "string" },
                servers: { type: "array", items: { $ref: "#/components/schemas/VersionServer" } },
              },
            },
          },
        },
      },
      default: { $ref: "#/components/responses/Problem" },
    },
  },
};

const VERSION_SERVER = {
  type: "object",
  required: ["name", "description", "tools"],
  properties: {
    name: { type: "string" },
    description: { type: "string" },
    mcp_endpoint: { type: "string", description: "Where MCP clients reach it; absent where it answers no calls" },
    install: {
      type: "object",
      description: "Links that add it to a client, by the client's name; none holds a token",
      required: LINK_CLIENTS,
      properties: Object.fromEntries(
        LINK_CLIENTS.map((client) => [client, { $ref: "#/components/schemas/InstallLink" }]),
      ),
    },
    tools: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "version"],
        properties: { name: { type: "string" }, version: { type: "string" } },
      },
    },
  },
};

const INSTALL_LINK = {
  type: "object",
  required: ["link"],
  properties: {
    link: { type: "string", description: "Opens the client, which asks its user" },
    web: { type: "string", format: "uri", description: "Leads there from pages that allow no other links" },
  },
};

/** Description of `GET /versions/{version}` in OpenAPI documents: its path, and the schemas that this refers to. */
export const VERSION_API = {
  path: VERSION_ITEM,
  schemas: { VersionServer: VERSION_SERVER, InstallLink: INSTALL_LINK },
};
