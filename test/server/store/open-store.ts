import { onTestFinished } from "vitest";
import type { Store } from "../../../server/store/store.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";
import { type Engine, ENGINES } from "./engines.ts";

/** A store in a fresh folder, or in the one named; closed when the current test ends. */
export async function openStore(
  engine: Engine,
  options: { readonly directory?: string; readonly now?: () => number } = {},
): Promise<Store> {
  const directory = options.directory ?? (await temporaryFolder());
  const store = await ENGINES[engine]({ ...options, directory });
  onTestFinished(() => store.admin.close());
  return store;
}

/** A clock that stands until it is told otherwise. */
export function createClock(start = 1_000_000): { now: () => number; advance: (ms: number) => void } {
  let time = start;
  return { now: () => time, advance: (ms) => void (time += ms) };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export function range(length: number): number[] {
  return [...Array(length).keys()];
}
