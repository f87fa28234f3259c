import type { Authenticate, Credentials } from "../auth/caller.ts";
import { hasScope, METRICS_READ } from "../auth/scopes.ts";
import { CairnError } from "../errors.ts";

/** Whether whoever sent a request may see details and metrics: anybody, as long as callers need no credentials. */
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
