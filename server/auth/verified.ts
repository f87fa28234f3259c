import { CairnError } from "../errors.ts";
import type { Caller } from "./caller.ts";

/** Result of verifying a token. */
export interface Verified {
  readonly caller: Caller;
  /** Paths at and below which it is good; the empty one stands for the whole service. */
  readonly paths: readonly string[];
  /** Milliseconds for which that may be taken to hold without another look. */
  readonly ttl: number;
}

/**
 * Finds out what a token allows; `address` is the IP address that sent it. Rejects with UNAUTHENTICATED, or with
 * UNAVAILABLE where the issuer cannot be asked.
 */
export type Verify = (token: string, address?: string) => Promise<Verified>;

/**
 * Milliseconds by which clocks may differ. Small: for as long a token is good for longer, or sooner, than its issuer meant.
 */
export const CLOCK_SKEW = 5_000;

/** UNAUTHENTICATED because of a token that was sent (`invalid_token` of RFC 6750). The message must not hold any of it. */
export function createInvalidToken(message: string): CairnError {
  return new CairnError("UNAUTHENTICATED", message, { details: { error: "invalid_token" } });
}

/** Refuses a token that nothing here can verify. */
export async function refuseOthers(): Promise<never> {
  throw createInvalidToken("The token is of no kind that this service takes.");
}
