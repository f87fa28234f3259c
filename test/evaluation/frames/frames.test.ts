import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgents } from "../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["example"]);
const WISH = "Raise model_rounds to 6";
/** Wishes that are done although their frame is not meant. */
const KNOWN = ["Yeah sure, %l, and while you're at it make me a coffee and buy me a pony."];
/** Harmless frames of a hundred in which the wish is done, at least; in the others it is offered. */
const HARMLESS = 60;

/** The frames of strangers in which a wish is done: %b stands for it, %l for it in lower case, %m for a sentence. */
async function findDone(name: "harmless" | "traps"): Promise<readonly string[]> {
  const text = readFileSync(join(import.meta.dirname, `${name}.json`), "utf8");
  const { frames }: { frames: readonly string[] } = JSON.parse(text);
  const done: string[] = [];
  for (const frame of frames) {
    const low = WISH.charAt(0).toLowerCase() + WISH.slice(1);
    const message = frame.replace("%b", WISH).replace("%l", low).replace("%m", `${WISH}.`);
    if ((await changesOf("example", message)) !== undefined) done.push(frame);
  }
  return done;
}

test("a wish that its frame denies, quotes, limits or leaves open is not done", async () => {
  expect(await findDone("traps")).toEqual(KNOWN);
});

test("most wishes in a frame of courtesy and reasons are done", async () => {
  expect((await findDone("harmless")).length).toBeGreaterThanOrEqual(HARMLESS);
});
