import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Workflow } from "../helpers/run-steps.ts";

/** Text of the workflow in docs/ci.md that guards any MCP server, with the action of this checkout. */
export function readSurfaceWorkflow(): string {
  const lines = readFileSync("docs/ci.md", "utf8").split("\n");
  const start = lines.findIndex((line) => line.trim() === "name: surface");
  const length = lines.slice(start).findIndex((line) => line.trim() === "");
  const indent = lines[start]?.search(/\S/) ?? 0;
  const block = lines.slice(start, start + length).map((line) => line.slice(indent));
  return `${block.join("\n")}\n`.replace(
    "<owner>/<cairn>/.github/actions/surface-diff@<commit>",
    "./.github/actions/surface-diff",
  );
}

/** Steps of its only job. */
export function readSurfaceSteps(): Workflow["jobs"][string]["steps"] {
  const { jobs } = parse(readSurfaceWorkflow()) as Workflow;
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

/** Repository of an MCP server without dependencies, which lists one tool whose input has these members. */
export function serverFiles(version: string, properties: object): Record<string, string> {
  const about = { name: "notes", version };
  const tools = [{ name: "add", inputSchema: { type: "object", properties } }];
  return {
    "package.json": JSON.stringify({
      private: true,
      scripts: { build: "mkdir -p dist && cp server.mjs dist/server.js" },
      type: "module",
    }),
    "package-lock.json": JSON.stringify({ lockfileVersion: 3, packages: { "": {} } }),
    "server.mjs": `import { createInterface } from "node:readline";
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: ${JSON.stringify(about)} },
  "tools/list": { tools: ${JSON.stringify(tools)} },
};
for await (const line of createInterface(process.stdin)) {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
}
`,
  };
}
