import type { Context } from "cairn-gitops/host-api";
import { findNext, send } from "./github.ts";

/** Pages that are searched for what an earlier call with this key has written. */
const PAGES = 3;

interface Written {
  readonly body?: string | null;
}

/** Text with its key, where readers do not see it. */
export function withKey(text: string, key: string | undefined): string {
  return key === undefined ? text : `${text}\n\n${toMark(key)}`;
}

/** Finds what was written with a key in a list of GitHub, which `path` names with its query. */
export async function findWritten<Item extends Written>(
  ctx: Context,
  path: string,
  key: string | undefined,
): Promise<Item | undefined> {
  if (key === undefined) return undefined;
  let page: number | undefined = 1;
  for (let count = 0; page !== undefined && count < PAGES; count += 1) {
    const reply = await send(ctx, `${path}&page=${page}`);
    const found = reply.json<Item[]>().find(({ body }) => body?.includes(toMark(key)));
    if (found !== undefined) return found;
    page = findNext(reply);
  }
  return undefined;
}

function toMark(key: string): string {
  return `<!-- key: ${key} -->`;
}
