import type { Json } from "../json/types.ts";
import type { Socket } from "node:net";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { CairnError, isErrorName } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import { OWN_SCHEMA_OPTIONS } from "../json/own-schema-options.ts";
import { readJson } from "../json/read-json.ts";
import type { Claimed, ClaimRequest, Commit, CommitResult, Entry, Key, LogEntry } from "../store/store.ts";

// What is said over the local socket: lines of JSON. The first line of a connection says who asks and in which version
// of this protocol; each later one is a request with a number, answered in any order by a line with that number.

/** A number that goes up when a request or an answer changes its meaning. A connection of another number is refused. */
export const PROTOCOL = 1;

export interface Hello {
  readonly protocol: number;
  readonly secret: string;
}

/** A commit whose values are all there as such. */
export type WireCommit = Omit<Commit, "set"> & {
  readonly set?: readonly { readonly key: Key; readonly value: Json; readonly ttl?: number }[];
};

/** Operations of a store that can be asked for; ranges are read page by page. */
export interface Operations {
  getMany: { ask: { keys: readonly Key[] }; answer: readonly (Entry | null)[] };
  scan: {
    ask: { prefix: Key; after?: Key; limit?: number; reverse?: boolean };
    answer: { entries: readonly Entry[]; more: boolean };
  };
  commit: { ask: { commit: WireCommit }; answer: CommitResult };
  claim: { ask: ClaimRequest; answer: readonly Claimed[] };
  readLog: {
    ask: { log: string; from: number; limit?: number };
    answer: { entries: readonly WireLogEntry[]; more: boolean };
  };
  /** Into a folder that asker and answerer both see: `device` and `inode` say which one is meant. */
  backup: { ask: { directory: string; device: string; inode: string }; answer: null };
  check: { ask: Record<string, never>; answer: readonly string[] };
}

export type OperationName = keyof Operations;

/** A numbered request: what to do, with what. */
export type Request = {
  [Name in OperationName]: { readonly id: number; readonly do: Name; readonly with: Operations[Name]["ask"] };
}[OperationName];

/** `bytes` in base64. */
type WireLogEntry = Omit<LogEntry, "bytes"> & { readonly bytes: string };

export type Answer =
  | { readonly id: number; readonly ok: unknown }
  | {
      readonly id: number;
      readonly error: { readonly name: string; readonly message: string; readonly details?: unknown };
    };

/** Milliseconds for either side to say who it is. */
export const HELLO_MS = 5_000;
/** Room for the largest commit there is, and for the largest answer. */
export const MAX_LINE_BYTES = 96 * 1024 * 1024;
/** Room for a version and a secret. */
export const MAX_HELLO_BYTES = 1024;

/** The first line of a connection; INVALID_REQUEST for what is none. */
export function readHello(text: string): Hello {
  const value = parse(text);
  if (isObject(value) && typeof value["protocol"] === "number" && typeof value["secret"] === "string") {
    return { protocol: value["protocol"], secret: value["secret"] };
  }
  throw new CairnError("INVALID_REQUEST", "The first line must be `{ protocol, secret }`.");
}

/** Reads requests; INVALID_REQUEST for what is none. What keys, limits and values may be is for the store to say. */
export function createRequestReader(): (text: string) => Request {
  const validate: ValidateFunction<Request> = new Ajv2020({
    ...OWN_SCHEMA_OPTIONS,
    discriminator: true,
    allowUnionTypes: true,
  }).compile<Request>(REQUEST as object);
  return (text) => {
    const value = parse(text);
    if (validate(value)) return value;
    const [{ instancePath = "", message = "" } = {}] = validate.errors ?? [];
    throw new CairnError("INVALID_REQUEST", `The line is no request of this protocol: \`${instancePath}\` ${message}.`);
  };
}

/** A line of the process that answers; `undefined` for what is no answer of this protocol. */
export function readAnswer(text: string): Answer | undefined {
  const value = parse(text);
  if (isObject(value) && typeof value["id"] === "number") {
    const { id, error } = value;
    if (error === undefined) return { id, ok: value["ok"] };
    if (isObject(error) && typeof error["name"] === "string" && typeof error["message"] === "string") {
      return { id, error: { name: error["name"], message: error["message"], details: error["details"] } };
    }
  }
  return undefined;
}

/** An error of the other side, as this side throws it. */
export function toError({ name, message, details }: { name: string; message: string; details?: unknown }): CairnError {
  return new CairnError(isErrorName(name) ? name : "INTERNAL_ERROR", message, { details });
}

/** Sends one line; RESULT_TOO_LARGE for one that the other side would not take. */
export function send(socket: Socket, message: Hello | Answer | Request): void {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  if (line.length > MAX_LINE_BYTES) {
    throw new CairnError("RESULT_TOO_LARGE", `The message takes more than the ${MAX_LINE_BYTES} bytes that it may.`);
  }
  if (!socket.destroyed) socket.write(line);
}

/** Calls `take` with each line that arrives; one longer than `max()` bytes ends the connection. */
export function onLines(socket: Socket, max: () => number, take: (line: string) => void): void {
  let parts: Buffer[] = [];
  let size = 0;
  socket.on("data", (chunk: Buffer) => {
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...parts, rest.subarray(0, at)]);
      rest = rest.subarray(at + 1);
      [parts, size] = [[], 0];
      if (line.length > max()) return void socket.destroy();
      take(line.toString());
    }
    if (rest.length === 0) return;
    parts.push(rest);
    size += rest.length;
    if (size > max()) socket.destroy();
  });
}

const NEWLINE = 10;

/** `undefined` for what is not JSON. */
function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

const KEY = { type: "array", items: { type: ["string", "number"] } };
const NUMBER = { type: "number" };
const TEXT = { type: "string" };

function list(required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) {
  return { type: "array", items: members(required, optional) };
}

function members(required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) {
  const properties = { ...required, ...optional };
  return { type: "object", additionalProperties: false, required: Object.keys(required), properties };
}

const COMMIT = members(
  {},
  {
    check: list({ key: KEY, rev: NUMBER }),
    renew: list({ key: KEY, fence: NUMBER, leaseMs: NUMBER }),
    set: list({ key: KEY, value: {} }, { ttl: NUMBER }),
    del: { type: "array", items: KEY },
    add: list({ key: KEY, delta: NUMBER }, { min: NUMBER, max: NUMBER }),
    append: list({ log: TEXT, entry: {} }),
    id: TEXT,
  },
);

const REQUEST = {
  type: "object",
  discriminator: { propertyName: "do" },
  required: ["do"],
  oneOf: [
    request("getMany", members({ keys: { type: "array", items: KEY } })),
    request("scan", members({ prefix: KEY }, { after: KEY, limit: NUMBER, reverse: { type: "boolean" } })),
    request("commit", members({ commit: COMMIT })),
    request("claim", members({ queue: KEY, leaseMs: NUMBER, limit: NUMBER }, { entry: KEY.items })),
    request("readLog", members({ log: TEXT, from: NUMBER }, { limit: NUMBER })),
    request("backup", members({ directory: TEXT, device: TEXT, inode: TEXT })),
    request("check", members({})),
  ],
};

function request(name: OperationName, details: object) {
  return members({ id: { type: "integer", minimum: 0 }, do: { const: name }, with: details });
}
