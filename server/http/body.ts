import { isUtf8 } from "node:buffer";
import type { ServerRequest } from "srvx";
import { CairnError } from "../errors.ts";
import { readStrictJson } from "../strict-json.ts";
import { assertJsonType } from "./json-type.ts";

/** Bytes of a request's body; the listener enforces it while reading. */
export const BODY_LIMIT = 1024 * 1024;

/** Reads a JSON body, or rejects with UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, PARSE_ERROR or INVALID_REQUEST. */
export async function readJson(request: ServerRequest): Promise<unknown> {
  assertJsonType(request.headers.get("content-type"), request.headers.get("content-encoding"));
  return readStrictJson(await readText(request));
}

async function readText(request: ServerRequest): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  const tooLarge = new CairnError("PAYLOAD_TOO_LARGE", `The body is larger than ${BODY_LIMIT} bytes.`);
  if (declared > BODY_LIMIT) throw tooLarge;
  const tap = tapBytes(request);
  let text: string;
  try {
    text = await request.text();
  } catch (error) {
    if ((error as { status?: unknown }).status === 413) throw tooLarge;
    throw new CairnError("INVALID_REQUEST", "The body did not arrive whole.", { cause: error });
  } finally {
    tap.close();
  }
  // Decoding writes U+FFFD for whatever is not UTF-8, so only a text with that sign can have been changed by it.
  if (text.includes("\uFFFD") && !isUtf8(tap.bytes())) {
    throw new CairnError("PARSE_ERROR", "The body is not well-formed JSON: its bytes are not UTF-8.");
  }
  return text;
}

/** Keeps the body's bytes while another reads them. */
function tapBytes({ runtime }: ServerRequest) {
  const source = runtime?.node?.req;
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer) => void chunks.push(chunk);
  source?.on("data", keep);
  return { bytes: () => Buffer.concat(chunks), close: () => void source?.off("data", keep) };
}
