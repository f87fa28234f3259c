/** What to send a server: these requests in turn, over and over, each answered right when it contains `needle`. */
export interface Plan {
  readonly url: string;
  readonly requests: readonly PlannedRequest[];
  readonly needle: string;
}

export interface PlannedRequest {
  /** Where to post instead of the plan's own address, on the same host. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Wherever this contains `KEY`, each request has a text of its own there. */
  readonly body: string;
}

/** Stands for a text that no other request of this run has, of the same length. */
export const KEY = "key-000000000000";

export function toKey(count: number): string {
  return `key-${String(count).padStart(12, "0")}`;
}

/** The bytes of a request, for who writes them to a socket. */
export function toHttp(url: string, { path, headers, body }: PlannedRequest): string {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers, "content-length": String(Buffer.byteLength(body)) });
  return `POST ${path ?? pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}
