import type { ErrorBody } from "../errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Params, RequestId } from "./json-rpc.ts";

/** One MCP method: its result (plain, serialised before, or a failure), or a rejection with a CairnError. */
type Method = (params: Params, exchange: Exchange, id: RequestId) => unknown;

export type Methods = Readonly<Record<string, Method>>;

const failure = Symbol("failure");

/** An error whose wording and incident id were settled earlier, to be answered as it is. */
export interface Failure {
  readonly [failure]: ErrorBody;
}

export function failWith(body: ErrorBody): Failure {
  return { [failure]: body };
}

export function findFailure(result: unknown): ErrorBody | undefined {
  return typeof result === "object" && result !== null && failure in result ? (result as Failure)[failure] : undefined;
}
