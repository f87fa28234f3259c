import { askMcp, encodeHeader } from "./mcp.ts";
import { type RequestOptions, send } from "./request.ts";

type Options = Pick<RequestOptions, "signal">;

interface Resource {
  readonly contents: readonly { readonly text?: string }[];
}

/** Reads the text of an MCP resource of a server. Rejects with `ServiceError` where the service refuses. */
export async function readResource(version: string, server: string, uri: string, options: Options): Promise<string> {
  const headers = { "mcp-name": encodeHeader(uri) };
  const request = { version, server, method: "resources/read", params: { uri }, headers, ...options };
  const { contents } = await askMcp<Resource>(request);
  return contents[0]?.text ?? "";
}

/** Loads a picture of a version as a `data:` address: an image that is loaded by its own address has no credentials. */
export async function loadPicture(version: string, name: string, options: Options): Promise<string> {
  const path = `/agent/${encodeURIComponent(version)}/api/plots/${encodeURIComponent(name)}.svg`;
  const response = await send(path, { ...options, headers: { accept: "image/svg+xml" } });
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await response.text())}`;
}
