import type { Socket } from "node:net";
import type { HttpListener } from "./exchange.ts";
import { readRequestHead, type RequestHead } from "./read-request.ts";
import { createFrontResponse, type FrontResponse } from "./response.ts";

export interface ConnectionOptions {
  readonly listener: HttpListener;
  /** Milliseconds by a clock that nobody sets. */
  readonly elapsed: () => number;
  /** Value of the header `Date`. */
  readonly date: () => string;
  /** Milliseconds that a client may take for its next request, and as the header `Keep-Alive` tells it. */
  readonly keepAlive: number;
  /** Gives the connection to node:http, which reads on from the bytes that are put back. */
  readonly passOn: (socket: Socket) => void;
  /** Called once the front has the connection no more. */
  readonly onLeave: (connection: Connection) => void;
}

/** One connection of a client, as long as the front reads it. */
export interface Connection {
  readonly socket: Socket;
  readonly options: ConnectionOptions;
  readonly remoteAddress: string | undefined;
  readonly listeners: readonly (readonly [event: string, listener: (chunk: Buffer) => void])[];
  /** Time of the last answer's end, or else of this request's beginning. */
  since: number;
  hasAnswered: boolean;
  /** Bytes of a request whose end is to come, or of the next one while an answer is being made. */
  held: Buffer | undefined;
  pieces: number;
  answering: FrontResponse | undefined;
  /** Clients send one head over and over. */
  last: { readonly bytes: Buffer; readonly head: RequestHead } | undefined;
}

/** Pieces that one request may arrive in; more come from a client that sends drop by drop. */
const PIECE_LIMIT = 8;
/** Answer of node:http to a request that ends too early. */
const CUT_OFF = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";

export function openConnection(socket: Socket, options: ConnectionOptions): Connection {
  const connection: Connection = {
    socket,
    options,
    remoteAddress: socket.remoteAddress,
    listeners: [
      ["data", (chunk) => arrive(connection, chunk)],
      ["end", () => finish(connection)],
      ["error", () => undefined],
      ["close", () => close(connection)],
    ],
    since: options.elapsed(),
    hasAnswered: false,
    held: undefined,
    pieces: 0,
    answering: undefined,
    last: undefined,
  };
  for (const [event, listener] of connection.listeners) socket.on(event, listener);
  return connection;
}

/** Puts back what was read of a request, and leaves it and the connection to node:http. */
export function handOver(connection: Connection, bytes = connection.held): void {
  const { socket, options } = connection;
  connection.answering = undefined;
  leave(connection);
  if (socket.destroyed) return;
  socket.pause();
  if (bytes !== undefined) socket.unshift(bytes);
  options.passOn(socket);
  socket.resume();
}

function arrive(connection: Connection, chunk: Buffer): void {
  const { held, answering, socket, options } = connection;
  // The last answer said that no further one comes.
  if (socket.writableEnded) return;
  const bytes = held === undefined ? chunk : Buffer.concat([held, chunk]);
  if (answering !== undefined) {
    // Pipelined: it waits for its turn, and then goes to node:http.
    connection.held = bytes;
    socket.pause();
    return;
  }
  if (held === undefined) connection.since = options.elapsed();
  connection.held = undefined;
  read(connection, bytes);
}

function read(connection: Connection, bytes: Buffer): void {
  const head = findHead(connection, bytes);
  // A client that does not read its answers gets no further ones from here.
  if (head === undefined || connection.socket.writableLength > 0) return handOver(connection, bytes);
  const length = head === "more" ? Number.POSITIVE_INFINITY : head.headLength + head.bodyLength;
  if (head !== "more" && bytes.length === length) return answer(connection, head, bytes);
  connection.pieces += 1;
  if (bytes.length > length || connection.pieces >= PIECE_LIMIT) return handOver(connection, bytes);
  connection.held = bytes;
}

function findHead(connection: Connection, bytes: Buffer): RequestHead | "more" | undefined {
  const { last } = connection;
  if (last !== undefined && bytes.length >= last.bytes.length) {
    if (last.bytes.compare(bytes, 0, last.bytes.length) === 0) return last.head;
  }
  const head = readRequestHead(bytes);
  if (head === undefined || head === "more") return head;
  connection.last = { head, bytes: Buffer.from(bytes.subarray(0, head.headLength)) };
  return head;
}

function answer(connection: Connection, { url, headers, headLength }: RequestHead, bytes: Buffer): void {
  const { socket, remoteAddress, options } = connection;
  const { listener, date, keepAlive } = options;
  const request = {
    method: "POST",
    url,
    headers,
    socket: { remoteAddress },
    body: bytes.subarray(headLength),
    handOver() {
      handOver(connection, connection.held === undefined ? bytes : Buffer.concat([bytes, connection.held]));
    },
  };
  const onEnd = (isKept: boolean) => ended(connection, isKept);
  connection.answering = createFrontResponse({ request, socket, date, keepAlive: Math.floor(keepAlive / 1000), onEnd });
  connection.hasAnswered = true;
  connection.pieces = 0;
  if (!listener(request, connection.answering)) request.handOver();
}

function ended(connection: Connection, isKept: boolean): void {
  connection.answering = undefined;
  connection.since = connection.options.elapsed();
  if (!isKept) connection.socket.end();
  else if (connection.held !== undefined) handOver(connection);
}

/** Ends a connection whose client will send no more, as node:http does. */
function finish({ held, answering, socket }: Connection): void {
  if (held !== undefined && answering === undefined) socket.write(CUT_OFF);
  socket.end();
}

function close(connection: Connection): void {
  leave(connection);
  connection.answering?.gone();
}

function leave(connection: Connection): void {
  for (const [event, listener] of connection.listeners) connection.socket.off(event, listener);
  connection.options.onLeave(connection);
}
