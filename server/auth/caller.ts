/** Sender of a request, according to its credentials. Each version decides by its frozen policies what that allows. */
export interface Caller {
  readonly tenant: string;
  readonly actor: string;
  /** Names that versions' policies may grant capabilities to; `*` holds everything in every version. */
  readonly roles: readonly string[];
  /** Scopes of the credentials: names of MCP servers and of parts of the service; `*` stands for all. */
  readonly scopes: ReadonlySet<string>;
}

/** The role of everybody who needs no token. Policies may grant it what the role `*` gives with a token alone. */
export const ANONYMOUS = "anonymous";

/** Caller of a service without authentication: one tenant that may do everything except what needs an explicit grant. */
export const LOCAL_CALLER: Caller = Object.freeze({
  tenant: "local",
  actor: "anonymous",
  roles: ["*", ANONYMOUS],
  scopes: new Set(["*"]),
});

/** Parts of a request that identify the sender, and the address that it is meant for. */
export interface Credentials {
  readonly authorization: string | undefined;
  /** Path of the address, without query: a token is only good for the resource that it was issued for. */
  readonly path: string;
  /** IP address of the client; behind a proxy that is not trusted, the proxy's. */
  readonly address?: string | undefined;
}

/** Rejects with UNAUTHENTICATED, or UNAVAILABLE where what it must ask cannot be reached. */
export type Authenticate = (credentials: Credentials) => Caller | Promise<Caller>;
