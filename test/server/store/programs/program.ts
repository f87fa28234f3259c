import { once } from "node:events";
import { writeSync } from "node:fs";
import type { Store } from "../../../../server/store/store.ts";
import { ENGINES } from "../engines.ts";

/** Waits to be told "go", then opens the engine and directory that the arguments name. */
export async function openWhenTold(): Promise<{ store: Store; directory: string; args: readonly string[] }> {
  const [engine = "", directory = "", ...args] = process.argv.slice(2);
  await once(process.stdin, "data");
  const open = Object.entries(ENGINES).find(([name]) => name === engine)?.[1];
  if (open === undefined) throw new Error(`there is no engine ${engine}`);
  return { store: await open({ directory }), directory, args };
}

/** One line of JSON to whoever started this program; it has left this process when the call returns. */
export function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}
