import type { Json } from "../json/types.ts";
import type { Cancellation } from "../cancellation.ts";
import type { ClientAbilities } from "../host-api.ts";
import type { Origin } from "../kernel/origin.ts";
import type { Principal } from "../principal.ts";
import type { Question } from "../kernel/call.ts";
import type { Deprecation } from "../versions/retirement/deprecation.ts";
import type { AddressWatch } from "./address-watch.ts";
import type { RequestId } from "./json-rpc.ts";
import type { McpLogLevel } from "./log-levels.ts";

/** One request of one client, apart from what it says: who asks, in which revision, and what can be sent meanwhile. */
export interface Exchange {
  readonly principal: Principal;
  /** Absent: no request that could say anything. */
  readonly origin?: Origin;
  /** True for a revision without a handshake. */
  readonly modern: boolean;
  /** Aborts when the client does not wait any more. */
  readonly signal?: Cancellation;
  readonly client: ClientAbilities;
  /** The header of this name, unchecked. */
  readonly idempotencyKey?: unknown;
  /** Least level of log lines to send; absent: none. */
  readonly logLevel?: McpLogLevel;
  /** Set where the address may come to mean another version; absent: what it lists never changes. */
  readonly watch?: AddressWatch;
  /** Announced end of the version; absent: it has none. */
  readonly deprecated?: Deprecation;
  /** Sends a notification, as JSON text, ahead of the answer to this request. */
  readonly send: (message: string) => void;
  /** State of the session; absent: the request stands alone. */
  readonly session?: SessionState;
}

/** One client's connection in revisions that have such a thing. */
export interface SessionState {
  logLevel: McpLogLevel;
  /** Puts questions to the client and waits for the answers; a question that the client refuses has none. */
  ask(request: RequestId, questions: readonly Question[], signal?: Cancellation): Promise<ReadonlyMap<string, Json>>;
  /** Tells the client when what is at `uri` changes; stops what was begun before for the same `uri`. */
  subscribe(uri: string, start: (notify: () => void) => () => void): void;
  unsubscribe(uri: string): void;
}
