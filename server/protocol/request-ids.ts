import { CairnError } from "../errors.ts";
import type { Message, RequestId } from "./json-rpc.ts";

/** Ids of a session's requests that are not answered yet. */
export interface RequestIds {
  /** INVALID_REQUEST when another request has the id: the transport would answer the second one in place of both. */
  take(message: Message): void;
  release(id: RequestId): void;
}

export function createRequestIds(): RequestIds {
  const taken = new Set<RequestId>();
  return {
    take(message) {
      if (message.kind !== "request") return;
      if (taken.has(message.id)) {
        throw new CairnError("INVALID_REQUEST", "A request of this session with the same `id` is not answered yet.");
      }
      taken.add(message.id);
    },
    release: (id) => void taken.delete(id),
  };
}
