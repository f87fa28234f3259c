import type { Credential } from "../../../../server/capabilities/fetch/carry-secrets.ts";
import type { Answer, McpConnection, OnNotification } from "../../../../server/capabilities/mcp/client/connection.ts";
import type { Connect } from "../../../../server/capabilities/mcp/live-upstream.ts";
import type { Definition } from "../../../../server/semver/surfaces/surface.ts";
import { digestDefinition } from "../../../../server/versions/manifests/kinds/read-upstream.ts";
import type { Upstream } from "../../../../server/versions/upstream.ts";

export const READ: Definition = {
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  outputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  annotations: { readOnlyHint: true },
};
export const LIST: Definition = { description: "Lists files.", inputSchema: { type: "object" } };

/** An upstream at a URL whose tools were imported as they are given. */
export function createUpstream(tools: Readonly<Record<string, Definition>>, more: Partial<Upstream> = {}): Upstream {
  return {
    name: "files",
    reach: { kind: "url", url: "https://files.example/mcp" },
    protocol: "2025-11-25",
    servesReworded: false,
    secrets: [],
    limits: { time: 5_000, output: 1024 * 1024 },
    tools: new Map(
      Object.entries(tools).map(([name, definition]) => [name, { digest: digestDefinition(definition), definition }]),
    ),
    file: "manifests/upstreams/files.yaml",
    ...more,
  };
}

/** A server in memory, whose tools a test may change while it runs. */
export interface MemoryServer {
  readonly connect: Connect;
  tools: Readonly<Record<string, Definition>>;
  /** Methods in the order in which they were asked, each with the number of its connection. */
  readonly asked: string[];
  /** Answers `tools/call`. */
  onCall: (
    params: Readonly<Record<string, unknown>>,
    options: Parameters<McpConnection["request"]>[2],
  ) => Promise<Answer>;
  /** Lists tools to a connection in place of all; absent: each is listed all. */
  toolsFor?: (credentials: readonly Credential[]) => Readonly<Record<string, Definition>>;
  /** What each connection was made with, in their order. */
  readonly credentials: (readonly Credential[])[];
  /** Says something to every connection that is open. */
  notify: OnNotification;
  open: number;
}

export function createMemoryServer(tools: Readonly<Record<string, Definition>>): MemoryServer {
  const listeners = new Set<OnNotification>();
  let count = 0;
  const server: MemoryServer = {
    tools,
    asked: [],
    open: 0,
    credentials: [],
    onCall: async () => ({ result: { content: [{ type: "text", text: "hi" }], structuredContent: { text: "hi" } } }),
    notify: (method, params) => listeners.forEach((listener) => listener(method, params)),
    async connect(_version, _upstream, { credentials, onNotification }) {
      server.credentials.push(credentials);
      const own = (count += 1);
      let isOpen = true;
      server.open += 1;
      listeners.add(onNotification);
      return {
        label: "memory",
        async request(method, params, options) {
          server.asked.push(`${own} ${method}`);
          if (method === "initialize") {
            return {
              result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "m", version: "1" } },
            };
          }
          if (method === "tools/call") return server.onCall(params, options);
          return {
            result: {
              tools: Object.entries(server.toolsFor?.(credentials) ?? server.tools).map(([name, one]) => ({
                name,
                ...one,
              })),
            },
          };
        },
        notify: async () => undefined,
        agree: () => undefined,
        isOpen: () => isOpen,
        async close() {
          if (isOpen) server.open -= 1;
          isOpen = false;
          listeners.delete(onNotification);
        },
      };
    },
  };
  return server;
}
