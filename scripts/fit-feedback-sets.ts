import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import type { Ground } from "../server/architect/planners/planner.ts";
import { AGENTS, type FeedbackMessage, HOSTS, NEWCOMERS } from "../test/evaluation/checks.ts";
import { frameWish, WISHED, WISHES } from "../test/evaluation/frames/frames.ts";
import { type Documents, EVALUATION, folderOf, loadAgent, OPENED, readMessages } from "./judge-feedback.ts";

/** The sets of messages that may be looked at. */
const SETS = [
  ...(["development", "later", "registers", "newcomers/development", "stories", "strangers/development"] as const),
  ...(["documents", "examples", "rights", "texts", "values"] as const),
  ...(["visitors/development", "decisions/development", "example/development", "patrons", "lists"] as const),
  ...["plain", "neighbours", "guests", "travellers", "lodgers", "boarders"].map((set) => `${set}/development`),
  ...[...OPENED].map((set) => `${set}/report`),
];
/** The agents that they are sent to. */
export const EVERYBODY = [...AGENTS, ...NEWCOMERS, ...HOSTS, "example"];
/** Families whose messages are not read as wishes. */
const OTHER: ReadonlySet<string> = new Set(["document", "injection"]);

/** A message that may be looked at, and the agent that it is sent to. */
export interface Sent {
  readonly agent: string;
  readonly set: string;
  readonly message: FeedbackMessage;
  readonly ground: Ground;
  readonly before: Documents;
}

/** The messages that may be looked at, agent by agent, with the sets that they are of. */
function listSent(agent: string): readonly Pick<Sent, "set" | "message">[] {
  const files = SETS.map((set) => ({ set, file: join(EVALUATION, "feedback", set, `${agent}.json`) }));
  const edits = globSync(`*-${agent}.json`, { cwd: join(EVALUATION, "edits") })
    .sort()
    .map((name) => ({ set: "edits", file: join(EVALUATION, "edits", name) }));
  const sent = [...files, ...edits].flatMap(({ set, file }) =>
    existsSync(file) ? readMessages(file).map((message) => ({ set, message })) : [],
  );
  return agent === "example" ? [...sent, ...listFramed()] : sent;
}

/** The wishes in frames of strangers: each frame counts for an author of its own. */
function listFramed(): readonly Pick<Sent, "set" | "message">[] {
  return WISHES.flatMap((wish) =>
    (["traps", "harmless"] as const).flatMap((name) =>
      frameWish(name, wish).map(({ message }, at) => ({
        set: "frames",
        message: {
          id: `example-${name}${wish.language}${at}`,
          family: "frame",
          language: wish.language,
          message,
          accept: [],
          part: "development" as const,
          ...(name === "traps"
            ? { expected: "reject" as const, kind: "nothing", checks: [] }
            : { expected: "change" as const, checks: [WISHED] }),
        },
      })),
    ),
  );
}

/** Reads all messages that may be looked at and that are read as wishes, agent by agent; of several readers, each takes its share of them. */
export async function readAll<T>(
  read: (sent: Sent) => Promise<T>,
  { reader = 0, readers = 1 }: { readonly reader?: number; readonly readers?: number } = {},
): Promise<readonly T[]> {
  const all: T[] = [];
  let count = 0;
  for (const agent of EVERYBODY) {
    const { ground, before } = await loadAgent(folderOf(agent));
    for (const { set, message } of listSent(agent))
      if (!OTHER.has(message.family) && count++ % readers === reader)
        all.push(await read({ agent, set, message, ground, before }));
  }
  return all;
}
