import type { Authenticate, Credentials } from "../auth/caller.ts";
import { hasScope, METRICS_READ } from "../auth/scopes.ts";
import { CairnError } from "../errors.ts";

/** Decides if the sender of a request may see details and metrics: every sender, while callers need no credentials. */
export type MayRead = (credentials: Credentials) => boolean | Promise<boolean>;

export function createMayRead(authenticate: Authenticate): MayRead {
  return async (credentials) => {
    try {
      return hasScope(await authenticate(credentials), METRICS_READ);
    } catch (error) {
      // Health is told to anybody, so also to whoever has wrong credentials.
      if (error instanceof CairnError) return false;
      throw error;
    }
  };
}
