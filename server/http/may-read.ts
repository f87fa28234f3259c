import type { Authenticate, Credentials } from "../auth/caller.ts";
import { CairnError } from "../errors.ts";

/** What credentials must be good for to see how the service does in detail. */
const SCOPE = "metrics:read";

/** Whether whoever sent a request may see details and metrics: anybody, as long as there is no authentication. */
export type MayRead = (credentials: Credentials) => boolean | Promise<boolean>;

export function createMayRead(authenticate?: Authenticate): MayRead {
  if (authenticate === undefined) return () => true;
  return async (credentials) => {
    if (credentials.authorization === undefined) return false;
    try {
      const { scopes } = await authenticate(credentials);
      return scopes.has(SCOPE) || scopes.has("*");
    } catch (error) {
      // Health is told to anybody, so also to whoever has wrong credentials.
      if (error instanceof CairnError) return false;
      throw error;
    }
  };
}
