import { type Redactor, SHAPES_ONLY } from "./log/redact.ts";

/**
 * The closed table of everything that can go wrong on the wire: one row per error, with its number, HTTP status and
 * JSON-RPC code. Numbers 1000, 2000, 3000, 4000, 4004 and 5000 are the dual-code taxonomy of the belief-graph
 * interface; the others extend it inside its ranges. A row never changes its number or its name.
 *
 * `exposed: false` means that the message may hold what a caller must not see, so only an incident id leaves the
 * process.
 *
 * JSON-RPC codes are those that JSON-RPC 2.0 and MCP define, and otherwise the error's own number: MCP reserves
 * -32020 to -32099, and wants no new codes in the rest of JSON-RPC's range.
 */
export const ERRORS = {
  INTERNAL_ERROR: row(1000, 500, -32603, "Something failed inside Cairn; the log holds the details.", false),
  OUTPUT_INVALID: row(1001, 500, -32603, "The tool's result does not match its own output schema."),
  RESULT_TOO_LARGE: row(1002, 500, -32603, "The tool's result is larger than its payload limit."),
  TIME_LIMIT: row(1003, 500, -32603, "The call took longer than its time limit."),
  CPU_LIMIT: row(1004, 500, -32603, "The handler took more processor time without a pause than its limit."),
  MEMORY_LIMIT: row(1005, 500, -32603, "The handler needed more memory than its limit."),
  NEVER_SETTLES: row(1006, 500, -32603, "The handler waits for a promise that nothing can settle any more."),
  UPSTREAM_ERROR: row(1007, 503, -32603, "A service that the tool depends on failed or could not be reached."),
  UPSTREAM_TIMEOUT: row(1008, 503, -32603, "A service that the tool depends on did not answer in time."),
  UNAVAILABLE: row(1009, 503, -32603, "Cairn cannot take this now; the same request may succeed later."),
  CANCELLED: row(1010, 499, 1010, "The caller gave the call up before it was done."),
  ARTIFACT_FAILED: row(1011, 500, -32603, "The artifact's code failed."),
  HANDLER_ERROR: row(1012, 500, -32603, "The tool's handler threw an error of its own.", false),
  UPSTREAM_DRIFTED: row(1013, 503, -32603, "A tool of an upstream is not what this version was made with."),
  UPSTREAM_TOOL_ERROR: row(1014, 502, -32603, "A tool of an upstream answered with an error."),
  BAD_REQUEST: row(2000, 400, -32602, "The request's parameters are wrong."),
  PARSE_ERROR: row(2001, 400, -32700, "The body is not well-formed JSON."),
  INVALID_REQUEST: row(2002, 400, -32600, "The body is JSON but not a request of this protocol."),
  METHOD_NOT_FOUND: row(2003, 404, -32601, "The protocol method does not exist here."),
  METHOD_NOT_ALLOWED: row(2004, 405, -32600, "The address does not take this HTTP method."),
  NOT_ACCEPTABLE: row(2005, 406, -32600, "The client accepts none of the forms this address answers in."),
  TIMED_OUT_READING: row(2006, 408, -32600, "The request did not arrive in time."),
  PAYLOAD_TOO_LARGE: row(2007, 413, -32600, "The request's body is larger than the limit."),
  UNSUPPORTED_MEDIA_TYPE: row(2008, 415, -32600, "The request's content type is not taken here."),
  UNPROCESSABLE: row(2009, 422, -32602, "The request is well-formed but contradicts an earlier one."),
  HEADER_MISMATCH: row(2010, 400, -32020, "The request's headers say something else than its body."),
  UNSUPPORTED_PROTOCOL_VERSION: row(2011, 400, -32022, "The protocol revision is not spoken here."),
  MISSING_CLIENT_CAPABILITY: row(
    2012,
    400,
    -32021,
    "The tool has to ask its caller something that it cannot be asked.",
  ),
  INPUT_REQUIRED: row(2013, 422, 2013, "The tool has asked its caller something and waits for the answer."),
  APPROVAL_REQUIRED: row(2014, 202, 2014, "The call waits until somebody else has approved it."),
  UNAUTHENTICATED: row(2100, 401, 2100, "Authentication is missing or not valid."),
  FORBIDDEN: row(2101, 403, 2101, "Policy does not allow this."),
  EGRESS_DENIED: row(2102, 403, 2102, "The tool may not reach this address."),
  INSUFFICIENT_SCOPE: row(2103, 403, 2103, "The credentials are not good for this part of the service."),
  SECRET_MISSING: row(2104, 424, 2104, "The tool needs a secret that its owner has not set."),
  CONFLICT: row(2200, 409, 2200, "Something changed meanwhile, or belongs elsewhere."),
  RATE_LIMITED: row(2201, 429, 2201, "Too many requests; slow down."),
  READER_CHANGED: row(2202, 409, 2202, "The browser is signed in as another reader than the page shows."),
  MISDIRECTED: row(2203, 421, 2203, "A node sent the request to another node, whose address leads here."),
  INVALID_TOOL: row(3000, 404, -32602, "There is no tool of this name here."),
  TOOL_RETIRED: row(3001, 410, 3001, "The service of the tool has ended."),
  NOT_FOUND: row(4000, 404, -32002, "There is nothing under this name."),
  VERSION_NOT_FOUND: row(4001, 404, 4001, "There is no such version."),
  VERSION_AMBIGUOUS: row(4002, 300, 4002, "Several commits carry this version; name one of them."),
  VERSION_QUARANTINED: row(
    4003,
    404,
    4003,
    "The version exists, but is not served because something is wrong with it.",
  ),
  NODE_NOT_FOUND: row(4004, 404, -32002, "There is no such node."),
  CONVERSATION_NOT_FOUND: row(4005, 404, -32002, "There is no such conversation."),
  SESSION_NOT_FOUND: row(4006, 404, 4006, "There is no such protocol session; initialize a new one."),
  VERSION_NOT_SERVED: row(4007, 404, 4007, "The commit exists, but answers no calls: no served tag leads to it."),
  VERSION_RETIRED: row(4008, 410, 4008, "The service of the version has ended; its successor is named."),
  INVARIANT_VIOLATION: row(5000, 500, -32603, "The operation would break an invariant and was not done."),
} as const;

export interface ErrorRow {
  readonly number: number;
  readonly status: number;
  readonly jsonRpc: number;
  readonly meaning: string;
  readonly exposed: boolean;
}

export type ErrorName = keyof typeof ERRORS;

/** Error as the caller sees it: the dual code, a sentence, and structured detail where it helps. */
export interface ErrorBody {
  readonly code: number;
  readonly name: ErrorName;
  readonly message: string;
  readonly details?: unknown;
}

/** The only error that crosses module borders on purpose; anything else that is thrown is a defect. */
export class CairnError extends Error {
  override readonly name: ErrorName;
  declare readonly details?: unknown;
  /**
   * Frames of the handler that it came up in, innermost first; for readers who may see what handlers throw. `[]` where code of
   * others wrote the error, whose place says nothing of its reason.
   */
  declare readonly frames?: readonly string[];

  constructor(
    name: ErrorName,
    message: string,
    options: { cause?: unknown; details?: unknown; frames?: readonly string[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = name;
    if (options.details !== undefined) this.details = options.details;
    if (options.frames !== undefined) this.frames = options.frames;
  }

  get row(): ErrorRow {
    return ERRORS[this.name];
  }
}

/** A copy of an error with frames of the handler that it came up in, after those that it has. */
export function withFrames(error: CairnError, frames: readonly string[]): CairnError {
  // The message of this one ends with its place.
  if (frames.length === 0 || error.name === "HANDLER_ERROR" || error.frames?.length === 0) return error;
  const { name, message, cause, details } = error;
  return new CairnError(name, message, { cause, details, frames: [...(error.frames ?? []), ...frames] });
}

export function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}

/**
 * The body for `error`, with credentials masked: messages quote what others sent. A defect or a row that is not exposed
 * keeps only `incident`, the id under which the log has the rest. `showsHandlers` is true for readers who may see what
 * handlers throw, and where errors come up in them.
 */
export function toErrorBody(
  error: unknown,
  incident: string,
  redactor: Redactor = SHAPES_ONLY,
  showsHandlers = false,
): ErrorBody {
  const isHandlers = error instanceof CairnError && error.name === "HANDLER_ERROR";
  if (error instanceof CairnError && (error.row.exposed || (isHandlers && showsHandlers))) {
    const { number } = error.row;
    const frames = showsHandlers ? error.frames : undefined;
    const [place] = frames?.[0]?.split(" ") ?? [];
    const message = redactor.text(place === undefined ? error.message : `${error.message} (${place})`);
    const details = error.details ?? (place === undefined ? undefined : { stack: frames });
    const body = { code: number, name: error.name, message };
    return details === undefined ? body : { ...body, details: redactor.json(details) };
  }
  if (isHandlers) {
    const message = `The tool's handler failed. The log has the details under incident ${incident}.`;
    return { code: ERRORS.HANDLER_ERROR.number, name: "HANDLER_ERROR", message };
  }
  return {
    code: ERRORS.INTERNAL_ERROR.number,
    name: "INTERNAL_ERROR",
    message: `Something failed inside Cairn. Its log has the details under incident ${incident}.`,
  };
}

export function errorRow(error: unknown): ErrorRow {
  return error instanceof CairnError ? error.row : ERRORS.INTERNAL_ERROR;
}

function row(number: number, status: number, jsonRpc: number, meaning: string, exposed = true): ErrorRow {
  return { number, status, jsonRpc, meaning, exposed };
}
