import type { IncomingHttpHeaders } from "node:http";

/** The part of a request that the way of MCP reads: one of node:http's fits, and so does one that the front read. */
export interface HttpRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names in lower case, as node:http has them. */
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** All of the body, where the front read it. */
  readonly body?: Buffer;
  /**
   * Has node:http read the request again, and answer it; present where the front read it. Allowed until the answer begins, and
   * ends this exchange without one.
   */
  readonly handOver?: () => void;
}

/** The part of an answer that the way of MCP writes: one of node:http's fits, and so does one of the front's. */
export interface HttpResponse {
  readonly req: HttpRequest;
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  /** Bytes that the client has not read yet. */
  readonly writableLength: number;
  /** `headers` are names and values in turn. */
  writeHead(status: number, headers: string[]): HttpResponse;
  cork(): void;
  write(piece: string | Buffer): boolean;
  end(piece?: string | Buffer): unknown;
  destroy(): unknown;
  on(event: "finish", listener: (this: HttpResponse) => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** Says whether it takes the request; if so, it will answer it. */
export type HttpListener = (request: HttpRequest, response: HttpResponse) => boolean;
