import type { ServerResponse } from "node:http";
import type { Authenticate } from "../auth/caller.ts";
import { requireScope } from "../auth/scopes.ts";
import { CairnError } from "../errors.ts";
import { readMcpPath } from "./mcp-address.ts";

/** Milliseconds after which a stream whose token was revoked, has expired or lost its scope is closed at the latest, beside what it takes to learn of it. */
export const STREAM_CHECK_MS = 5_000;

/**
 * Asks again for every stream of MCP that is open who its caller is, and closes it when that is nobody any more or may no
 * longer use the address: it was let in once, and may stay open for days. Where nobody can be asked at the moment, it stays.
 */
export function createStreamGuard(authenticate: Authenticate): (response: ServerResponse) => void {
  return (response) => {
    const { headers, socket } = response.req;
    const { authorization } = headers;
    // Of a connection that has ended there is none.
    const address = socket.remoteAddress;
    const { path, server } = readMcpPath(response.req) ?? { path: "", server: "" };
    const check = async () => {
      try {
        requireScope(await authenticate({ authorization, path, address }), server);
      } catch (error) {
        if (!(error instanceof CairnError) || error.name !== "UNAVAILABLE") response.destroy();
      }
    };
    const timer = setInterval(() => void check(), STREAM_CHECK_MS).unref();
    response.once("close", () => clearInterval(timer));
  };
}
