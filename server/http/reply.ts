import { FastResponse } from "srvx";
import type { Document } from "./document.ts";
import { matchesTag } from "./entity-tag.ts";
import type { EncodingFor } from "./negotiate-encoding.ts";
import { defined } from "../json/defined.ts";

/** Answer of a route, before its form is chosen and the client's copy is checked. */
export interface Reply {
  readonly document: Document;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: not at all. */
  readonly keep?: Keep;
}

/** Ways in which clients and proxies may keep an answer. */
export type Keep =
  /** Immutable, and equal for all callers. */
  | "for-ever"
  /** Valid only after a check with the service. */
  | "checked"
  /** Valid only after a check, and different for other callers. */
  | "checked-by-caller";

const CACHE_CONTROL: Readonly<Record<Keep, string>> = {
  "for-ever": "public, max-age=31536000, immutable",
  checked: "no-cache",
  "checked-by-caller": "private, no-cache",
};

/** The reply in the form that suits the request; 304 when that is what the client has. */
export async function toResponse(
  { document, status = 200, headers, keep }: Reply,
  request: Request,
  encodingFor: EncodingFor,
): Promise<Response> {
  const encoding = encodingFor(document.length);
  const tag = keep === undefined ? undefined : document.tag(encoding);
  const common = {
    ...headers,
    vary: toVary(keep, request),
    "cache-control": keep === undefined ? "no-store" : toCacheControl(keep, request),
    ...defined({ etag: tag }),
  };
  if (tag !== undefined && matchesTag(request.headers.get("if-none-match"), tag)) {
    return new FastResponse(null, { status: 304, headers: common });
  }
  const body = await document.encode(encoding);
  return new FastResponse(body, {
    status,
    headers: {
      ...common,
      "content-type": document.type,
      "content-length": String(body.length),
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    },
  });
}

/** Returns the Cache-Control of an answer: a shared cache must not give answers for credentials to callers without. */
function toCacheControl(keep: Keep, request: Request): string {
  const control = CACHE_CONTROL[keep];
  return request.headers.has("authorization") ? control.replace("public", "private") : control;
}

function toVary(keep: Keep | undefined, request: Request): string {
  const names = ["Accept-Encoding"];
  if (keep === "checked-by-caller") names.push("Authorization");
  // Answers to pages say so themselves. What is kept of others must not be given to a page, which could not read it.
  if (keep !== undefined && !request.headers.has("origin")) names.push("Origin");
  return names.join(", ");
}

/** Has caches ask each time: it changes under its address with labels and alarms, and whenever a tag comes. */
export function toChecked(document: Document, isOwn = false): Reply {
  return { document, keep: isOwn ? "checked-by-caller" : "checked" };
}
