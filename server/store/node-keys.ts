import type { Key } from "./store.ts";

/** Digest of the refs that a node saw last: where it is another, nodes look at the repository. */
export const REFS_SEEN: Key = ["refs-seen"];

/** The last word of the forge that reached a node, for all of them. */
export const FORGE_NUDGED: Key = ["forge-nudged"];
