import type { Journal } from "../invoke/journal.ts";
import type { Store } from "../store/store.ts";
import { createCompatManifest, type OpenParent } from "./compat.ts";
import { createConversationLogs, createRecentLogs } from "./logs.ts";
import type { Provider } from "./provider.ts";
import { createSessionIndex, createSessionReader } from "./sessions.ts";
import { readActiveState, readAssets } from "./state.ts";

/** What a manifest may name under `provider`. */
export function createProviders(
  store: Store,
  journal: Pick<Journal, "settled">,
  openParent: OpenParent,
): Readonly<Record<string, Provider>> {
  /** Whoever has an answer can read its record, though records may trail answers. */
  const afterRecords =
    (provide: Provider): Provider =>
    async (request) => {
      await journal.settled();
      return provide(request);
    };
  return {
    "state.active": readActiveState,
    "state.assets": readAssets,
    "session.read": createSessionReader(store),
    "session.index": createSessionIndex(store),
    "logs.recent": afterRecords(createRecentLogs(store)),
    "logs.read": afterRecords(createConversationLogs(store)),
    "compat.manifest": createCompatManifest(openParent),
  };
}
