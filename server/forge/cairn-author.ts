import type { Proposal } from "./forge.ts";

/** Author of commits that are made for no person, or for one who is not to be named. */
export const CAIRN_AUTHOR: Proposal["author"] = Object.freeze({ name: "Cairn", email: "cairn@localhost" });
