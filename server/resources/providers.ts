import type { Store } from "../store/store.ts";
import { createCompatManifest, type OpenParent } from "./compat.ts";
import { createConversationLogs, createRecentLogs } from "./logs.ts";
import type { Provider } from "./provider.ts";
import { createSessionIndex, createSessionReader } from "./sessions.ts";
import { readActiveState, readAssets } from "./state.ts";

/** What a manifest may name under `provider`. */
export function createProviders(store: Store, openParent: OpenParent): Readonly<Record<string, Provider>> {
  return {
    "state.active": readActiveState,
    "state.assets": readAssets,
    "session.read": createSessionReader(store),
    "session.index": createSessionIndex(store),
    "logs.recent": createRecentLogs(store),
    "logs.read": createConversationLogs(store),
    "compat.manifest": createCompatManifest(openParent),
  };
}
