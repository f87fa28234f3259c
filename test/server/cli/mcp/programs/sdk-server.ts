import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

/**
 * Serves what a team builds with the official SDK, over standard input and output. The first argument is its version, each
 * further one an edit: `limit` (an optional input more), `required` (one that must be given), `gone` (a tool less).
 */
const [version = "1.0.0", ...edits] = process.argv.slice(2);
const has = (edit: string) => edits.includes(edit);

const server = new McpServer({ name: "issues", version }, { instructions: "Ask about issues." });
server.registerTool(
  "list_issues",
  {
    description: "Lists the issues of a project.",
    inputSchema: {
      project: z.string().min(1),
      state: z.enum(["open", "closed"]).default("open"),
      ...(has("limit") ? { limit: z.number().int().min(1).max(100).optional() } : {}),
      ...(has("required") ? { assignee: z.string() } : {}),
    },
    outputSchema: { issues: z.array(z.object({ id: z.number().int(), title: z.string() })) },
    annotations: { readOnlyHint: true },
  },
  () => ({ content: [], structuredContent: { issues: [] } }),
);
if (!has("gone"))
  server.registerTool("ping_project", { description: "Says if a project is there." }, () => ({ content: [] }));
server.registerPrompt("triage", { argsSchema: { project: z.string() } }, () => ({ messages: [] }));
server.registerResource("guide", "docs://guide", { mimeType: "text/plain" }, () => ({ contents: [] }));
server.registerResource("issue", new ResourceTemplate("issue://{id}", { list: undefined }), {}, () => ({
  contents: [],
}));
process.stdout.write("listening (this line is noise on the output)\n");
await server.connect(new StdioServerTransport());
