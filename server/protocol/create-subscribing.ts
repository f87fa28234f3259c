import { CairnError } from "../errors.ts";
import type { SessionState } from "./exchange.ts";
import { writeNotification } from "./json-rpc.ts";

const SUBSCRIPTION_LIMIT = 100;

/** Creates the subscriptions of a session, of which a client can have so many only. */
export function createSubscribing(
  subscriptions: Map<string, () => void>,
  tell: (text: string) => void,
): Pick<SessionState, "subscribe" | "unsubscribe"> {
  return {
    subscribe(uri, start) {
      if (!subscriptions.has(uri) && subscriptions.size >= SUBSCRIPTION_LIMIT) {
        throw new CairnError("RATE_LIMITED", `A session hears of at most ${SUBSCRIPTION_LIMIT} resources.`);
      }
      subscriptions.get(uri)?.();
      subscriptions.set(
        uri,
        start(() => tell(writeNotification("notifications/resources/updated", { uri }))),
      );
    },
    unsubscribe(uri) {
      subscriptions.get(uri)?.();
      subscriptions.delete(uri);
    },
  };
}
