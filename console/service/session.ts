import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ask } from "./request.ts";
import { READER_KEY } from "./shown-reader.ts";

/** The reader, as the service knows them. */
export interface Session {
  readonly signed_in: boolean;
  /** The service's word for the credentials in the reader's cookie. */
  readonly reader?: string;
  /** True of a reader whose credentials are good no longer. */
  readonly ended?: true;
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
const SESSION_PATH = "/console/session";
export const SESSION = "session";
const session = queryOptions({ queryKey: [SESSION], queryFn: () => askSession() });

/** Asks who the reader is now, whoever the page shows. */
export function askSession(signal?: AbortSignal): Promise<Session> {
  return ask<Session>(SESSION_PATH, { asWhoever: true, ...(signal === undefined ? {} : { signal }) });
}

export function useSession() {
  return useQuery(session);
}

/** Has the page ask who its reader is as soon as another tab signs in or out. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const hear = ({ key, storageArea }: StorageEvent) => {
      if (storageArea === localStorage && key === READER_KEY) void client.invalidateQueries(session);
    };
    window.addEventListener("storage", hear);
    return () => window.removeEventListener("storage", hear);
  }, [client]);
}

/** Signs the reader in with a token, or out without one; nothing of the reader before is kept. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string | undefined) =>
      token === undefined
        ? ask<Session>(SESSION_PATH, { method: "DELETE" })
        : ask<Session>(SESSION_PATH, { method: "POST", body: { token } }),
    async onSuccess(now) {
      // An answer from before must not come after.
      await client.cancelQueries(session);
      client.setQueryData(session.queryKey, now);
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
