/** Sends one request; rejects with `Refused` when GitHub says no to it. */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  beforeRetry?: () => Promise<unknown>,
) => Promise<unknown>;

export class Refused extends Error {
  readonly status: number;
}

export function createGitHub(options: {
  readonly base: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}): Ask;
