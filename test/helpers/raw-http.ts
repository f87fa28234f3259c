import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import type { AtEnd } from "./temporary.ts";

export interface RawRequest {
  readonly method?: string;
  /** Sent as it is, dots and escapes included. */
  readonly path: string;
  /** Sent in this order and spelling, any number of times each. Without a Host the address's own is added. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Its Content-Length is added unless `headers` says how long it is. */
  readonly body?: string | Uint8Array;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A connection on which bytes are sent that no HTTP client would send. */
export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** The next answer, once it is there as a whole, without a body if it is to HEAD; rejects when the connection ends before. */
  read(isBodiless?: boolean): Promise<RawAnswer>;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Connects to the host of `url`; closed at the end at the latest. */
export async function connectRaw(url: string, atEnd: AtEnd = onTestFinished): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let room = Buffer.alloc(0);
  /** The part of the room with what has come and was not read. */
  let received = room;
  /** Joining each chunk to those before would copy megabytes each time: the room doubles instead. */
  const receive = (chunk: Buffer) => {
    const end = received.byteOffset - room.byteOffset + received.length;
    const length = received.length + chunk.length;
    if (end + chunk.length <= room.length) {
      chunk.copy(room, end);
      received = room.subarray(end - received.length, end + chunk.length);
      return;
    }
    room = Buffer.alloc(2 * length);
    received.copy(room);
    chunk.copy(room, received.length);
    received = room.subarray(0, length);
  };
  let change = Promise.withResolvers<void>();
  const changed = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  socket.on("data", (chunk: Buffer) => {
    receive(chunk);
    changed();
  });
  // A reset is an end like any other; what had to arrive before it is for the test to say.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    close();
    changed();
  });
  atEnd(async () => void socket.destroy());
  await once(socket, "connect");
  return {
    write: (bytes) => void socket.write(bytes),
    closed,
    close: () => void socket.destroy(),
    async read(isBodiless = false) {
      for (;;) {
        const found = findAnswer(received, socket.closed, isBodiless);
        if (found) {
          received = received.subarray(found.length);
          return found.answer;
        }
        if (socket.closed) throw new Error(`The connection ended after: ${received.subarray(0, 500).toString()}`);
        await change.promise;
      }
    },
  };
}

/** Sends one request on a connection of its own and reads the answer. */
export async function sendRaw(url: string, request: RawRequest): Promise<RawAnswer> {
  const connection = await connectRaw(url, () => undefined);
  connection.write(toBytes(url, request));
  return connection.read().finally(connection.close);
}

/** The request as it goes over the wire. */
export function toBytes(url: string, { method = "POST", path, headers = [], body = "" }: RawRequest): Buffer {
  const has = (name: string) => headers.some(([given]) => given.toLowerCase() === name);
  const bytes = Buffer.from(body);
  const added: [string, string][] = [];
  if (!has("host")) added.push(["Host", new URL(url).host]);
  if (!has("content-length") && !has("transfer-encoding")) added.push(["Content-Length", String(bytes.length)]);
  const lines = [...added, ...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`), bytes]);
}

/** The first answer in what was received, and how many bytes it takes there; nothing while it is not whole. */
function findAnswer(
  received: Buffer,
  ended: boolean,
  isBodiless: boolean,
): { answer: RawAnswer; length: number } | undefined {
  const headLength = received.indexOf("\r\n\r\n") + 4;
  if (headLength < 4) return undefined;
  const [first = "", ...lines] = received.toString("latin1", 0, headLength - 4).split("\r\n");
  const status = Number(first.split(" ")[1]);
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
  const rest = received.subarray(headLength);
  const body = isBodiless ? { bytes: Buffer.alloc(0), length: 0 } : findBody(rest, status, headers, ended);
  return body && { answer: { status, headers, body: body.bytes.toString() }, length: headLength + body.length };
}

function findBody(rest: Buffer, status: number, headers: Headers, ended: boolean) {
  if (status < 200 || status === 204 || status === 304) return { bytes: Buffer.alloc(0), length: 0 };
  if (headers.get("transfer-encoding") === "chunked") return findChunks(rest);
  const declared = headers.get("content-length");
  if (declared === null) return ended ? { bytes: rest, length: rest.length } : undefined;
  const length = Number(declared);
  return rest.length < length ? undefined : { bytes: rest.subarray(0, length), length };
}

function findChunks(rest: Buffer) {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const start = rest.indexOf("\r\n", at) + 2;
    const end = start + Number.parseInt(rest.toString("latin1", at, start - 2), 16);
    if (start < 2 || rest.length < end + 2) return undefined;
    if (end === start) return { bytes: Buffer.concat(chunks), length: end + 2 };
    chunks.push(rest.subarray(start, end));
    at = end + 2;
  }
}
