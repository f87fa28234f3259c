import { once } from "node:events";
import { cp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Definition } from "../../../server/semver/surfaces/surface.ts";
import { createRepository, type TestRepository } from "../../helpers/repository.ts";
import { type AtEnd, temporaryFolder } from "../../helpers/temporary.ts";
import { runIn } from "../../server/cli/run-in.ts";
import { type McpUpstream, startMcpUpstream } from "../../stand-ins/mcp-upstream.ts";

const LOCK = "imports/shop.lock.json";
const HERE = resolve("test/agents/drifting");
const PATH = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

/** Tools of the MCP server as they were imported. */
export const FILES: Readonly<Record<string, Definition>> = {
  read_file: { description: "Reads a file.", inputSchema: PATH, annotations: { readOnlyHint: true } },
  list_files: { description: "Lists files.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
};

/** A repository with an import of each kind, released as 1.0.0, and the sources of both on loopback, which a test may change. */
export interface DriftingAgent {
  readonly repository: TestRepository;
  readonly upstream: McpUpstream;
  /** The OpenAPI document; `text` is what the server answers. */
  readonly shop: { text: string; status: number };
  /** Changes the OpenAPI document in place. */
  changeShop(change: (document: { paths: Record<string, Record<string, object>> }) => void): void;
  /** Options of `cairn drift` by which the MCP server is asked on loopback. */
  readonly at: readonly string[];
  /** Commits that the document is at a host of a name, and returns the `CAIRN_EGRESS_MAP` by which a service asks both on loopback. */
  nameHosts(): Promise<string>;
}

export async function openDriftingAgent(atEnd: AtEnd = onTestFinished): Promise<DriftingAgent> {
  const shop = { text: await readFile(`${HERE}/shop.json`, "utf8"), status: 200 };
  const url = await serve(shop, atEnd);
  const upstream = await startMcpUpstream(FILES, atEnd);
  const folder = await temporaryFolder(atEnd);
  await cp(`${HERE}/manifests`, `${folder}/manifests`, { recursive: true });
  await cp(`${HERE}/versions.yaml`, `${folder}/versions.yaml`);
  const cairn = async (...argv: string[]) => {
    const { code, printed } = await runIn(folder, argv);
    expect(code, printed).toBe(0);
  };
  await cairn("import", "openapi", url, "--name", "shop", "--all", "--auth", "none");
  await cairn("import", "mcp", upstream.url, "--name", "files", "--as", "https://files.internal/mcp");
  const repository = await createRepository(folder);
  await repository.commit({ ".gitignore": ".cairn/\n" });
  await repository.tag("v1.0.0");
  return {
    repository,
    upstream,
    shop,
    changeShop(change) {
      const document = JSON.parse(shop.text) as Parameters<typeof change>[0];
      change(document);
      shop.text = JSON.stringify(document);
    },
    at: ["--at", `files=${upstream.url}`],
    async nameHosts() {
      const { origin } = new URL(url);
      const lock = await readFile(`${folder}/${LOCK}`, "utf8");
      await repository.commit({ [LOCK]: lock.replace(origin, "https://shop.internal") });
      return `shop.internal=${origin},files.internal=${new URL(upstream.url).origin}`;
    },
  };
}

async function serve(shop: DriftingAgent["shop"], atEnd: AtEnd): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(shop.status, { "content-type": "application/json" }).end(shop.text),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
}
