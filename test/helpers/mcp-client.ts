import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";

/** The official client, connected to one MCP server; closed when the current test ends. */
export async function connectMcp(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Parameters<Client["connect"]>[0],
  );
  onTestFinished(() => client.close());
  return client;
}

/** Reads a resource whose content is JSON. */
export async function readJsonResource(client: Client, uri: string): Promise<Record<string, unknown>> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  if (!content || !("text" in content)) throw new Error(`${uri} has no text`);
  return JSON.parse(content.text) as Record<string, unknown>;
}
