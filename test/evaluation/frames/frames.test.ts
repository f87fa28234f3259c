import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgents } from "../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["example"]);

/** A wish by language, and of the harmless frames of each those in which it is done, at least; in the others it is offered. */
const WISHES = [
  { language: "en", wish: "Raise model_rounds to 6", stop: ".", harmless: 130 },
  { language: "de", wish: "Erhöhe model_rounds auf 6", stop: ".", harmless: 17 },
  { language: "es", wish: "Sube model_rounds a 6", stop: ".", harmless: 17 },
  { language: "fr", wish: "Augmente model_rounds à 6", stop: ".", harmless: 19 },
  { language: "zh", wish: "把 model_rounds 提高到 6", stop: "。", harmless: 17 },
] as const;
/** Milliseconds: a busy machine reads ten of a thousand messages in a second. */
const PATIENCE = 300_000;

/** The frames of strangers in which a wish is done: %b stands for it, %l for it in lower case, %m for a sentence. */
async function findDone(
  name: "harmless" | "traps",
  { language, wish, stop }: (typeof WISHES)[number],
): Promise<readonly string[]> {
  const text = readFileSync(join(import.meta.dirname, `${name}.json`), "utf8");
  const { frames }: { frames: Readonly<Record<string, readonly string[]>> } = JSON.parse(text);
  const done: string[] = [];
  for (const frame of frames[language] ?? []) {
    const low = wish.charAt(0).toLowerCase() + wish.slice(1);
    const message = frame
      .replace("%b", wish)
      .replace("%l", low)
      .replace("%m", wish + stop);
    if ((await changesOf("example", message)) !== undefined) done.push(frame);
  }
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
    expect((await findDone("harmless", wish)).length).toBeGreaterThanOrEqual(wish.harmless);
  },
);
