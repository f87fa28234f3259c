import { CairnError } from "../errors.ts";
import { showDeprecation } from "../versions/retirement/deprecation.ts";
import type { Exchange } from "./exchange.ts";
import { type Identity, toCacheHints } from "./identity.ts";
import { type Params, type Serialised, serialise } from "./json-rpc.ts";

/** Items of one page of a list. */
export const PAGE_SIZE = 1000;

/** Under which lists name the fingerprint of the version that they are of. */
const FINGERPRINT_KEY = "cairn/fingerprint";

/** Answers a list request; the pages of a list that never changes are turned into bytes once for each kind of client. */
export function createPages(
  property: string,
  items: readonly unknown[],
  { metaMember, fingerprint }: Identity,
  isPublic = true,
): (params: Params, exchange: Exchange) => Serialised {
  const pages = new Map<string, Serialised>();
  return ({ cursor }, { modern, watch, deprecated }) => {
    const start = cursor === undefined ? 0 : readCursor(cursor, items.length);
    const immutable = watch === undefined;
    const end = deprecated === undefined ? "" : `,"cairn/deprecated":${JSON.stringify(showDeprecation(deprecated))}`;
    const key = `${start} ${modern} ${modern && immutable}${end}`;
    let page = pages.get(key);
    if (!page) {
      const next = start + PAGE_SIZE;
      const body = {
        ...(modern ? { resultType: "complete" } : {}),
        [property]: items.slice(start, next),
        ...(next < items.length ? { nextCursor: writeCursor(next) } : {}),
        ...(modern ? toCacheHints(immutable, isPublic) : {}),
      };
      const json = JSON.stringify(body).slice(0, -1);
      const meta = `${JSON.stringify(FINGERPRINT_KEY)}:"${fingerprint()}"${end}${modern ? `,${metaMember}` : ""}`;
      page = serialise(Buffer.from(`${json},"_meta":{${meta}}}`));
      pages.set(key, page);
    }
    return page;
  };
}

function writeCursor(start: number): string {
  return Buffer.from(`from:${start}`).toString("base64url");
}

function readCursor(cursor: unknown, length: number): number {
  const text = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString() : "";
  const start = Number(/^from:(\d+)$/.exec(text)?.[1] ?? Number.NaN);
  if (start > 0 && start < length && start % PAGE_SIZE === 0) return start;
  throw new CairnError("BAD_REQUEST", "`cursor` must be a `nextCursor` that an earlier page of this list gave.");
}
