/**
 * The limit: what is left of the work when nothing but the work is done. `node:http`, `JSON.parse`, compiled schemas on the
 * way in and out, the JSON-RPC envelope. No limits, no checks of headers, no record, no isolation.
 */
import { createServer } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import { DESCRIPTION, INPUT_SCHEMA, OUTPUT_SCHEMA, add, toResult } from "../contract.ts";
import { TOOL_NAMES, listen } from "./surroundings.mjs";

const ajv = new Ajv2020();
const checkInput = ajv.compile(INPUT_SCHEMA);
const checkOutput = ajv.compile(OUTPUT_SCHEMA);
const tools = new Map(TOOL_NAMES.map((name) => [name, { run: add, checkInput, checkOutput }]));
const list = JSON.stringify({
  tools: TOOL_NAMES.map((name) => ({
    name,
    description: DESCRIPTION,
    inputSchema: INPUT_SCHEMA,
    outputSchema: OUTPUT_SCHEMA,
  })),
});

listen(
  createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
      const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${method === "tools/list" ? list : call(params)}}`;
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
      response.end(body);
    });
  }),
);

function call({ name, arguments: input }) {
  const tool = tools.get(name);
  if (tool === undefined) return refuse(`There is no tool ${name}.`);
  if (!tool.checkInput(input)) return refuse(ajv.errorsText(tool.checkInput.errors));
  const output = tool.run(input);
  if (!tool.checkOutput(output)) return refuse(ajv.errorsText(tool.checkOutput.errors));
  return JSON.stringify(toResult(output));
}

function refuse(text) {
  return JSON.stringify({ content: [{ type: "text", text }], isError: true });
}
