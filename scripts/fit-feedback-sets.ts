import { AGENTS, HOSTS, NEWCOMERS } from "../test/evaluation/checks.ts";
import { OPENED } from "./judge-feedback.ts";

/** The sets of messages that may be looked at. */
export const SETS = [
  ...(["development", "later", "registers", "newcomers/development", "stories", "strangers/development"] as const),
  ...(["documents", "examples", "rights", "texts", "values"] as const),
  ...(["visitors/development", "decisions/development", "example/development", "patrons", "lists"] as const),
  ...["plain", "neighbours", "guests", "travellers", "lodgers", "boarders"].map((set) => `${set}/development`),
  ...[...OPENED].map((set) => `${set}/report`),
];
/** The agents that they are sent to. */
export const EVERYBODY = [...AGENTS, ...NEWCOMERS, ...HOSTS, "example"];
/** Families whose messages are not read as wishes. */
export const OTHER: ReadonlySet<string> = new Set(["document", "injection"]);
