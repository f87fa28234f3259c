import type { ServerResponse } from "node:http";
import type { Authenticate } from "../auth/caller.ts";
import { CairnError } from "../errors.ts";

/** Milliseconds after which a stream whose token was revoked or has expired is closed at the latest, beside what it takes to learn of it. */
export const STREAM_CHECK_MS = 5_000;

/**
 * Asks again for every stream that is open who its caller is, and closes it when that is nobody any more: it was let in
 * once, and may stay open for days. Where nobody can be asked at the moment, it stays.
 */
export function createStreamGuard(authenticate: Authenticate): (response: ServerResponse) => void {
  return (response) => {
    const { authorization } = response.req.headers;
    const [path = ""] = (response.req.url ?? "").split("?");
    const check = async () => {
      try {
        await authenticate({ authorization, path });
      } catch (error) {
        if (!(error instanceof CairnError) || error.name !== "UNAVAILABLE") response.destroy();
      }
    };
    const timer = setInterval(() => void check(), STREAM_CHECK_MS).unref();
    response.once("close", () => clearInterval(timer));
  };
}
