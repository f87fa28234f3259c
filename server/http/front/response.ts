import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { HttpRequest, HttpResponse } from "./exchange.ts";

export interface ResponseOptions {
  readonly request: HttpRequest;
  readonly socket: Socket;
  /** Value of the header `Date`. */
  readonly date: () => string;
  /** Seconds that the connection is kept for the next request. */
  readonly keepAlive: number;
  /** Called once all of the answer is with the socket; `isKept`: another request may follow. */
  readonly onEnd: (isKept: boolean) => void;
}

/** Response of the front, with what only its connection may do. */
export interface FrontResponse extends HttpResponse {
  /** Ends it where the client has gone. */
  gone(): void;
}

interface State extends FrontResponse {
  readonly options: ResponseOptions;
  statusCode: number;
  headersSent: boolean;
  destroyed: boolean;
  writableEnded: boolean;
  writableFinished: boolean;
  writableLength: number;
  /** Line and headers that go out with the next piece. */
  head: string;
  isAscii: boolean;
  isChunked: boolean;
  isKept: boolean;
  corked: (string | Buffer)[] | undefined;
  onFinish: ((this: HttpResponse) => void) | undefined;
  onClose: readonly (() => void)[];
}

/** As node:http refuses them: what is not printable could end a header and begin another (response splitting). */
const INVALID = /[^\t\x20-\x7e\x80-\xff]/;
/** One byte in Latin 1, which headers are sent in, and another number of them in UTF-8. */
const NOT_ASCII = /[^\t\x20-\x7e]/;
const NONE: readonly never[] = [];

/**
 * Creates the answer to a request that the front read, which sends the bytes that node:http would send. Its functions are shared
 * by all answers: functions made for each would survive until the next full collection.
 */
export function createFrontResponse(options: ResponseOptions): FrontResponse {
  const response: State = {
    options,
    req: options.request,
    statusCode: 200,
    headersSent: false,
    destroyed: false,
    writableEnded: false,
    writableFinished: false,
    head: "",
    isAscii: true,
    isChunked: false,
    isKept: true,
    corked: undefined,
    onFinish: undefined,
    onClose: NONE,
    writableLength: 0,
    writeHead,
    cork,
    write,
    end,
    destroy,
    on,
    once,
    gone,
  };
  return response;
}

function writeHead(this: State, status: number, headers: string[]): HttpResponse {
  const { date, keepAlive } = this.options;
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n`;
  let isSized = false;
  let isKept = true;
  for (let at = 0; at < headers.length; at += 2) {
    const [name = "", value = ""] = [headers[at], headers[at + 1]];
    if (NOT_ASCII.test(value)) {
      if (INVALID.test(value))
        throw new TypeError(`The header \`${name}\` of an answer has characters that it must not.`);
      this.isAscii = false;
    }
    if (name === "content-length") isSized = true;
    else if (name === "connection") isKept = value !== "close";
    head += `${name}: ${value}\r\n`;
  }
  head += `Date: ${date()}\r\n`;
  if (isKept) head += `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAlive}\r\n`;
  this.isKept = isKept;
  this.isChunked = !isSized;
  this.head = isSized ? `${head}\r\n` : `${head}Transfer-Encoding: chunked\r\n\r\n`;
  this.statusCode = status;
  this.headersSent = true;
  return this;
}

function cork(this: State): void {
  this.corked ??= [];
}

function write(this: State, piece: string | Buffer): boolean {
  if (this.destroyed || this.writableEnded) return false;
  if (this.corked !== undefined) this.corked.push(piece);
  else send(this, [piece], false);
  return true;
}

function end(this: State, piece?: string | Buffer): void {
  if (this.destroyed || this.writableEnded) return;
  this.writableEnded = true;
  const pieces = this.corked ?? [];
  if (piece !== undefined && piece.length > 0) pieces.push(piece);
  this.corked = undefined;
  send(this, pieces, true);
  this.writableFinished = true;
  this.onFinish?.();
  close(this);
  this.options.onEnd(this.isKept);
}

/** Sends the head, where it has not gone out yet, and pieces of the body, at once. */
function send(state: State, pieces: readonly (string | Buffer)[], isLast: boolean): void {
  const { socket } = state.options;
  const { head } = state;
  state.head = "";
  let text = state.isAscii ? head : "";
  socket.cork();
  if (!state.isAscii && head !== "") socket.write(head, "latin1");
  for (const piece of pieces) {
    // A chunk of no bytes would end the body.
    if (piece.length === 0) continue;
    if (state.isChunked) text += `${Buffer.byteLength(piece).toString(16)}\r\n`;
    if (typeof piece === "string") {
      text += piece;
    } else {
      if (text !== "") socket.write(text);
      socket.write(piece);
      text = "";
    }
    if (state.isChunked) text += "\r\n";
  }
  if (state.isChunked && isLast) text += "0\r\n\r\n";
  if (text !== "") socket.write(text);
  socket.uncork();
  state.writableLength = socket.writableLength;
}

function destroy(this: State): void {
  if (this.destroyed) return;
  this.destroyed = true;
  this.options.socket.destroy();
}

function on(this: State, _event: "finish", listener: (this: HttpResponse) => void): void {
  this.onFinish = listener;
}

function once(this: State, _event: "close", listener: () => void): void {
  this.onClose = this.onClose === NONE ? [listener] : [...this.onClose, listener];
}

function gone(this: State): void {
  this.destroyed = true;
  close(this);
}

function close(state: State): void {
  const listeners = state.onClose;
  state.onClose = NONE;
  for (const listener of listeners) listener();
}
