import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startCairn } from "../cairn.ts";
import { type AtEnd, createShared, temporaryFolder } from "../temporary.ts";
import type { KillOrder } from "./kill-points.ts";

/** A repository with a forge, made anew for each walk, and a service for it as people start it. */
export interface KillGround {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What there is at the end. */
  look(): Promise<KillTraces>;
}

interface KillTraces {
  /** By name. */
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** Subjects of what the base has got since. */
  readonly landed: readonly string[];
  /** Versions that versions.yaml names. */
  readonly versions: readonly string[];
  /** Proposals that are open. */
  readonly open: readonly string[];
  /** What a finished change leaves nowhere: workspaces, and refs that keep their commits. */
  readonly leftovers: readonly string[];
}

export interface KilledFeedback {
  /** Whether the first life was long enough for the change and an orderly end. */
  readonly survived: boolean;
  /** The points that each life reached; it was killed at the last one, unless it survived. */
  readonly points: readonly (readonly string[])[];
  /** The answers to the same request under the same key, once the service lives on. */
  readonly answers: readonly FeedbackAnswer[];
  /** What the address of the feedback says afterwards. */
  readonly status: Readonly<Record<string, unknown>>;
  readonly traces: KillTraces;
}

interface FeedbackAnswer {
  readonly status: number;
  readonly id: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Points that one life outlasts: of all, or of those that begin so. */
export interface Life {
  readonly lives: number;
  readonly of?: string;
}

const PRELOAD = resolve("test/helpers/mortal/preload.ts");
const KEY = "the-one-and-only";

/** Lives of a service: whether the first was long enough for an orderly end, and the points that each has reached. */
type Lived = Pick<KilledFeedback, "survived" | "points">;

/**
 * Has something happen to a service that is killed with -9 after so many points, counted from when `act` says so; started again on the
 * same data, it is killed in its second life, counted from its start, and so on.
 */
export async function live(
  ground: KillGround,
  { folder, lives, atEnd }: { readonly folder: string; readonly lives: readonly Life[]; readonly atEnd: AtEnd },
  act: (url: string, arm: () => Promise<void>) => Promise<unknown>,
): Promise<Lived> {
  const points: (readonly string[])[] = [];
  let survived = false;
  for (const [life, { lives: count, of = "" }] of lives.entries()) {
    const isFirst = life === 0;
    const journal = join(folder, `journal-${life}`);
    await writeFile(journal, "");
    const armed = isFirst ? join(folder, "armed") : folder;
    const order: KillOrder = {
      CAIRN_TEST_LIVES: String(count),
      CAIRN_TEST_POINTS: of,
      CAIRN_TEST_ARMED: armed,
      CAIRN_TEST_JOURNAL: journal,
    };
    const environment = { ...ground.environment, ...order, NODE_OPTIONS: `--import=${PRELOAD}` };
    // One that dies while it starts has no address yet.
    const cairn = await startCairn(ground.args, environment, atEnd).catch((error: unknown) => {
      if (isFirst || !String(error).includes("cairn ended with null")) throw error;
      return undefined;
    });
    if (cairn !== undefined) {
      const arm = async () => (isFirst ? writeFile(armed, "") : undefined);
      const answer = await act(cairn.url, arm).catch(() => undefined);
      const code = await cairn.stop();
      if (isFirst) survived = answer !== undefined && code === 0;
    }
    points.push((await readFile(journal, "utf8")).trimEnd().split("\n"));
  }
  return { survived, points };
}

/** Sends feedback to a service that is killed as `live` says. Then it lives on. */
export async function killAndResume(
  openGround: (folder: string) => Promise<KillGround>,
  message: string,
  lives: readonly Life[],
): Promise<KilledFeedback> {
  const { atEnd, undoAll } = createShared();
  try {
    const folder = await temporaryFolder(atEnd);
    const ground = await openGround(folder);
    const lived = await live(ground, { folder, lives, atEnd }, async (url, arm) => {
      await arm();
      return send(url, message);
    });
    const cairn = await startCairn(ground.args, ground.environment, atEnd);
    const answers = [await send(cairn.url, message), await send(cairn.url, message)];
    const asked = await fetch(`${cairn.url}/agent/1.0.0/architect/feedback/${answers[0]?.id ?? "none"}`);
    const status = (await asked.json()) as Record<string, unknown>;
    const code = await cairn.stop();
    if (code !== 0) throw new Error(`The service that lives on ended with ${code}:\n${cairn.output()}`);
    return { ...lived, answers, status, traces: await ground.look() };
  } finally {
    await undoAll();
  }
}

async function send(url: string, message: string): Promise<FeedbackAnswer> {
  const response = await fetch(`${url}/agent/1.0.0/architect/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": KEY, prefer: "wait=120" },
    body: JSON.stringify({ message }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, id: response.headers.get("cairn-feedback"), body };
}
