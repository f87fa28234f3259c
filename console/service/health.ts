import { queryOptions } from "@tanstack/react-query";
import type { Me } from "./answers.ts";
import { ask, type RequestOptions, ServiceError } from "./request.ts";

/** The answer of `/readyz`; readers who may not see details get the states alone. */
export interface Health {
  readonly status: string;
  readonly time: string;
  readonly checks: Readonly<
    Record<
      string,
      {
        readonly status: string;
        readonly observedValue?: unknown;
        readonly observedUnit?: string;
        readonly output?: string;
      }
    >
  >;
}

export const me = queryOptions({ queryKey: ["me"], queryFn: ({ signal }) => ask<Me>("/me", { signal }) });

export const health = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => loadHealth({ signal }),
});

/** Names of the reader's own secrets, with when they were set; values never leave the service. */
export const ownSecrets = queryOptions({
  queryKey: ["secrets"],
  queryFn: ({ signal }) =>
    ask<{ readonly secrets: readonly { readonly name: string; readonly setAt: string }[] }>("/secrets", { signal }),
});

/** A service that cannot answer calls says so with 503, which is an answer too. */
async function loadHealth(options: Pick<RequestOptions, "signal">): Promise<Health> {
  try {
    return await ask<Health>("/readyz", options);
  } catch (error) {
    if (error instanceof ServiceError && "checks" in error.problem) return error.problem as unknown as Health;
    throw error;
  }
}
