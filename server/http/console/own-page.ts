import type { H3Event } from "h3";
import { CairnError } from "../../errors.ts";
import { CONSOLE } from "../../kernel/origin.ts";
import { isObject } from "../../json/is-object.ts";
import { readStrictJson } from "../../json/strict-json.ts";
import { assertJsonType } from "../json-type.ts";
import { type ConsoleSessions, type Sender } from "./session.ts";

/** Refuses all but the console's own pages: others could sign a reader in as somebody else, or out. */
export function assertOwnPage({ req }: H3Event, sessions: ConsoleSessions): Sender {
  const sender = { method: req.method, header: (name: string) => req.headers.get(name) ?? undefined };
  if (sessions.isOwnPage(sender)) return sender;
  throw new CairnError(
    "FORBIDDEN",
    `Only the console's own page may do this: it sends \`${CONSOLE}: 1\` from this address.`,
  );
}

/** Reads a member of a body of JSON. @throws UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST */
export async function readMember(request: Request, name: string): Promise<unknown> {
  assertJsonType(
    request.headers.get("content-type") ?? undefined,
    request.headers.get("content-encoding") ?? undefined,
  );
  const body = readStrictJson(await request.text());
  return isObject(body) ? body[name] : undefined;
}
