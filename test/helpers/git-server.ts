import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { onTestFinished } from "vitest";

/** A real git host on loopback, over smart HTTP, that fails as it is told to. */
export interface GitServer {
  readonly url: string;
  /** Requests so far, as `GET /repository/info/refs`. */
  readonly requests: string[];
  /** `cut`: the answer to a fetch breaks off after so many bytes. `down`: every connection is dropped. `hang`: no answer. */
  fail: { readonly kind: "cut"; readonly bytes: number } | { readonly kind: "down" | "hang" } | undefined;
  /** When set, requests need this password. */
  password: string | undefined;
}

export async function startGitServer(repository: string): Promise<GitServer> {
  const state: { fail: GitServer["fail"]; password: string | undefined } = { fail: undefined, password: undefined };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { fail, password } = state;
    if (fail?.kind === "down") return request.socket.destroy();
    if (fail?.kind === "hang") return undefined;
    if (password !== undefined && !isAllowed(request, password)) {
      return response.writeHead(401, { "www-authenticate": "Basic" }).end();
    }
    return answer(repository, request, response, fail?.kind === "cut" ? fail.bytes : Infinity);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return Object.assign(state, { requests, url: `http://127.0.0.1:${address.port}/${basename(repository)}` });
}

function isAllowed(request: IncomingMessage, password: string): boolean {
  const [, encoded = ""] = (request.headers.authorization ?? "").split(" ");
  return Buffer.from(encoded, "base64").toString().endsWith(`:${password}`);
}

/** Git's own CGI program does the work. */
function answer(repository: string, request: IncomingMessage, response: ServerResponse, limit: number): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: dirname(repository),
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      HTTP_GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  backend.stdin.on("error", () => undefined);
  request.pipe(backend.stdin);
  const isFetch = request.method === "POST" && pathname.endsWith("/git-upload-pack");
  let head = Buffer.alloc(0);
  let sent = 0;
  backend.stdout.on("data", (chunk: Buffer) => {
    let body = chunk;
    if (!response.headersSent) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      const lines = head.toString("latin1", 0, end).split("\r\n");
      const headers = Object.fromEntries(lines.map((line) => line.split(": ")));
      response.writeHead(Number.parseInt(headers["Status"] ?? "200", 10), headers);
      body = head.subarray(end + 4);
    }
    sent += body.length;
    response.write(isFetch && sent > limit ? body.subarray(0, Math.max(0, body.length - (sent - limit))) : body);
    if (isFetch && sent > limit) setImmediate(() => response.socket?.destroy());
  });
  backend.on("close", () => response.end());
}
