import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { printable, printableLines } from "../../text/printable.ts";
import { readStrictJson } from "../../json/strict-json.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { loadToken, toAuthorization, TOKEN_OPTION } from "./service-token.ts";
import { readJson } from "../../json/read-json.ts";
import { askService, type ServiceAccess, toRefusal, toServiceUrl, URL_OPTION } from "./service-url.ts";

/** `cairn call <version> <tool> <json>`: one call over MCP, as any client would make it. */
export const createCallCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "call", description: "Call a tool of a running service" },
    args: {
      version: {
        type: "positional",
        required: true,
        description: "A version, range, label or commit, for example `latest`",
      },
      tool: { type: "positional", required: true, description: "The tool's full name, for example `runner.chat`" },
      input: { type: "positional", default: "{}", valueHint: "json", description: "The tool's input" },
      ...URL_OPTION,
      ...TOKEN_OPTION,
    },
    async run({ args }) {
      const { environment, out, err } = context;
      const url = toServiceUrl(args.url, environment);
      const token = await loadToken(context, args["token-file"]);
      const input = readInput(args.input);
      const agent = `/agent/${encodeURIComponent(args.version)}`;
      const definition = await askService({ url, token }, `${agent}/api/tools/${encodeURIComponent(args.tool)}`);
      const { server } = definition as { server: string };

      const client = new Client({ name: "cairn", version: "0" });
      // The SDK's transport declares optional members in a way that exact optional types refuse.
      const transport = new StreamableHTTPClientTransport(new URL(`${url}${agent}/${server}`), {
        requestInit: { headers: { ...toAuthorization(token) } },
      }) as Parameters<Client["connect"]>[0];
      await client.connect(transport).catch((error: unknown) => {
        throw toServiceError(error, { url, token });
      });
      try {
        const result = await client.callTool({ name: args.tool, arguments: input }).catch((error: unknown) => {
          throw error instanceof McpError ? new CairnError("UPSTREAM_ERROR", error.message, { cause: error }) : error;
        });
        if (result.isError) {
          const { code, name, message } = (result._meta?.["cairn/error"] ?? {}) as Record<string, unknown>;
          err(printable(`cairn: ${String(message)} (${String(code)} ${String(name)})`));
          return EXIT.FAILED;
        }
        out(printableLines(JSON.stringify(result.structuredContent, undefined, 2)));
        return EXIT.OK;
      } finally {
        await client.close();
      }
    },
  });

/** Reads the service's error about a request that it refused: the client's error has it as JSON behind a text. */
function toServiceError(error: unknown, access: ServiceAccess): unknown {
  if (!(error instanceof StreamableHTTPError)) return error;
  const answer = findJson(error.message);
  const said = isObject(answer) && isObject(answer["error"]) ? answer["error"]["message"] : undefined;
  const refusal = toRefusal(error.code, access, said);
  if (refusal !== undefined || typeof said !== "string") return refusal ?? error;
  return new CairnError("UPSTREAM_ERROR", said, { cause: error });
}

function findJson(text: string): unknown {
  try {
    return readJson(text.slice(Math.max(0, text.indexOf("{"))));
  } catch {
    // Something in between has answered, in a form of its own.
    return undefined;
  }
}

function readInput(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    // With `JSON.parse`, `1e999` would go to the service as `null`.
    value = readStrictJson(text);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    if (error.name !== "PARSE_ERROR") throw new CairnError("BAD_REQUEST", error.message, { cause: error });
  }
  if (isObject(value)) return value;
  throw new CairnError(
    "BAD_REQUEST",
    `The input must be a JSON object, for example '{"message":"hello"}'; it is \`${text.slice(0, 100)}\`.`,
  );
}
