import type { Authenticate, Credentials } from "../../auth/caller.ts";
import { requireScope } from "../../auth/scopes.ts";
import { listHeld } from "../../auth/to-principal.ts";
import { CairnError } from "../../errors.ts";
import type { Principal } from "../../principal.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";
import type { Version } from "../../versions/version.ts";
import type { HttpResponse } from "../front/exchange.ts";
import { readMcpPath } from "./address.ts";

/** Milliseconds after which a stream whose token was revoked, has expired or lost its scope is closed at the latest, beside what it takes to learn of it. */
export const STREAM_CHECK_MS = 5_000;

/** Whose stream it is, and of which version. */
export interface Streamed {
  readonly version: Version;
  readonly principal: Principal;
  /** Those that its request came with: of a connection that has ended there is no address. */
  readonly credentials: Credentials;
}

/**
 * Asks again for every stream of MCP that is open who its caller is, and closes it when that is nobody any more or may no
 * longer use the address: it was let in once, and may stay open for days. Where nobody can be asked at the moment, it stays.
 * One whose caller loses a right because the default branch revokes it is closed at once.
 */
export function createStreamGuard(
  authenticate: Authenticate,
  registry: Pick<Registry, "subscribe">,
): (response: HttpResponse, streamed: Streamed) => void {
  const open = new Map<HttpResponse, () => boolean>();
  registry.subscribe(({ kind }) => {
    if (kind !== "revoked") return;
    for (const [response, hasLost] of open) if (hasLost()) response.destroy();
  });

  return (response, { version, principal, credentials }) => {
    const { server } = readMcpPath(response.req) ?? { server: "" };
    const check = async () => {
      try {
        requireScope(await authenticate(credentials), server);
      } catch (error) {
        if (!(error instanceof CairnError) || error.name !== "UNAVAILABLE") response.destroy();
      }
    };
    const held = listHeld(version, principal).length;
    open.set(response, () => listHeld(version, principal).length < held);
    const timer = setInterval(() => void check(), STREAM_CHECK_MS).unref();
    response.once("close", () => {
      clearInterval(timer);
      open.delete(response);
    });
  };
}
