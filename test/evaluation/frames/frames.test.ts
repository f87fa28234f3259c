import { expect, test } from "vitest";
import { openAgents } from "../../helpers/open-agents.ts";
import { frameWish, WISHES } from "./frames.ts";

const { changesOf } = await openAgents(["example"]);

/** Harmless frames by language in which the wish is done, at least; in the others it is offered. */
const HARMLESS = { en: 130, de: 17, es: 15, fr: 19, zh: 16 } as const;
/** Milliseconds: a busy machine reads ten of a thousand messages in a second. */
const PATIENCE = 300_000;

/** The frames of strangers in which a wish is done. */
async function findDone(name: "harmless" | "traps", wish: (typeof WISHES)[number]): Promise<readonly string[]> {
  const done: string[] = [];
  for (const { frame, message } of frameWish(name, wish))
    if ((await changesOf("example", message)) !== undefined) done.push(frame);
  return done;
}

test.each(WISHES)(
  "a wish that its frame denies, quotes, limits or leaves open is not done: $language",
  { timeout: PATIENCE },
  async (wish) => {
    expect(await findDone("traps", wish)).toEqual([]);
  },
);

test.each(WISHES)(
  "most wishes in a frame of courtesy and reasons are done: $language",
  { timeout: PATIENCE },
  async (wish) => {
    expect((await findDone("harmless", wish)).length).toBeGreaterThanOrEqual(HARMLESS[wish.language]);
  },
);
