import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "./request.ts";

/** The reader, as the service knows them. */
export interface Session {
  readonly signed_in: boolean;
  /** True if the service wants a token, or has one. */
  readonly needs_token: boolean;
  readonly tenant?: string;
  readonly actor?: string;
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
  /** Name of the provider that readers may sign in with instead of a token. */
  readonly provider?: string;
  /** Path at which a reader who has signed out here signs out at the provider, too. */
  readonly leave?: string;
}

/** Address of what the service knows of the reader. */
export const SESSION_PATH = "/console/session";
export const SESSION = "session";
const session = queryOptions({ queryKey: [SESSION], queryFn: () => ask<Session>(SESSION_PATH) });

export function useSession() {
  return useQuery(session);
}

/** Signs the reader in with a token, or out without one; nothing of the reader before is kept. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string | undefined) =>
      token === undefined
        ? ask<Session>(SESSION_PATH, { method: "DELETE" })
        : ask<Session>(SESSION_PATH, { method: "POST", body: { token } }),
    onSuccess(now) {
      client.setQueryData(session.queryKey, now);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
      if (now.leave !== undefined) window.location.assign(now.leave);
    },
  });
}

/** Leads the reader to the provider, which leads back to a page of the console. The page has no part in what they exchange. */
export function useProvider() {
  return useMutation({
    mutationFn: (returnTo: string) =>
      ask<{ readonly url: string }>("/console/login", { method: "POST", body: { return_to: returnTo } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

/** Says whether the credentials of the reader have a scope: of an MCP server, or of a part of the service. */
export function hasScope({ scopes = [] }: Session, scope: string): boolean {
  return scopes.includes("*") || scopes.includes(scope);
}
