/** Owner of a credential: who runs the service, the caller's tenant, or the caller. */
export type SecretOwner = "service" | "tenant" | "caller";

/** A credential that `ctx.fetch` adds to requests to its hosts, in a header or in the query. The manifest has no value of it. */
export interface ToolSecret {
  readonly name: string;
  readonly of: SecretOwner;
  /** `host` or `host:port`. */
  readonly hosts: readonly string[];
  readonly header?: string;
  readonly query?: string;
  /** The text around it, with `{}` in its place. */
  readonly format: string;
}

/** A credential that Cairn adds to requests to one upstream, always in a header. The upstream's own URL is its one host. */
export interface UpstreamSecret {
  readonly name: string;
  readonly of: SecretOwner;
  readonly header: string;
  readonly format: string;
}
