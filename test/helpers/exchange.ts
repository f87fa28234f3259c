import { LOCAL_PRINCIPAL } from "../../server/principal.ts";
import type { Exchange } from "../../server/protocol/exchange.ts";
import { writeResult } from "../../server/protocol/json-rpc.ts";

/** A request of a client that can be asked nothing, in a revision with a handshake, apart from any session. */
export const STANDALONE: Exchange = Object.freeze({
  principal: LOCAL_PRINCIPAL,
  modern: false,
  client: { elicit: false, sample: false, roots: false },
  send: () => undefined,
});

/** The same in a revision without a handshake. */
export const MODERN: Exchange = Object.freeze({ ...STANDALONE, modern: true });

/** What clients see of a method's result. */
export function readResult<Result = unknown>(result: unknown): Result {
  return (JSON.parse(writeResult(1, result).pieces.join("")) as { readonly result: Result }).result;
}
