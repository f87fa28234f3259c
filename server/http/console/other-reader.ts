import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { CairnError } from "../../errors.ts";

/** Header by which a page says whom it shows, with the word that `/console/session` has for that reader. */
export const READER_HEADER = "cairn-reader";

/** Characters of that word: 132 bits. */
const LENGTH = 22;

/** Derives the word for a reader from the token in the cookie, which nobody can find by it: tokens cannot be guessed. */
export function toReaderWord(token: string): string {
  return hash("sha256", `cairn console reader ${token}`, "base64url").slice(0, LENGTH);
}

/** READER_CHANGED: the page shows a reader, and the browser has signed in as another one since. */
export function createOtherReader(): CairnError {
  return new CairnError(
    "READER_CHANGED",
    "This browser is signed in as somebody else than the page shows, so nothing was done. Load the page again.",
  );
}

/** Answers a request with an error, if there is one, as problem details and before anything has read it; says whether it did. */
export function refuse(response: ServerResponse, error: CairnError | undefined): boolean {
  if (error === undefined) return false;
  const { name, message, row } = error;
  const { number: code, status, meaning: title } = row;
  const body = JSON.stringify({ type: `urn:cairn:error:${name}`, title, status, detail: message, code, name });
  const headers = {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(body),
  };
  response.writeHead(status, headers).end(body);
  return true;
}
