import { isUtf8 } from "node:buffer";
import { IncomingMessage } from "node:http";
import { CairnError } from "../errors.ts";
import { pauseAfterLarge } from "../json/pause-after-large.ts";
import { readStrictJson } from "../json/strict-json.ts";
import type { HttpRequest } from "./front/exchange.ts";
import { assertJsonType } from "./json-type.ts";

/** Bytes of a request's body. */
export const BODY_LIMIT = 1024 * 1024;

/** Reads a JSON body, or rejects with UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, PARSE_ERROR or INVALID_REQUEST. */
export async function readJson(request: HttpRequest): Promise<unknown> {
  assertJsonType(request.headers["content-type"], request.headers["content-encoding"]);
  const bytes = request.body ?? (await readBytes(request));
  // Decoding would replace what is not UTF-8, so another text would be read than was sent.
  if (!isUtf8(bytes)) throw new CairnError("PARSE_ERROR", "The body is not well-formed JSON: its bytes are not UTF-8.");
  const value = readStrictJson(bytes.toString());
  const pause = pauseAfterLarge(bytes.length);
  if (pause !== undefined) await pause;
  return value;
}

/** The whole body; rejects with PAYLOAD_TOO_LARGE or INVALID_REQUEST. */
export async function readBytes(request: HttpRequest): Promise<Buffer> {
  if (!(request instanceof IncomingMessage)) throw new TypeError("The body of this request is nowhere to be read.");
  if (Number(request.headers["content-length"] ?? 0) > BODY_LIMIT) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_LIMIT) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("close", () => {
      if (!request.complete) reject(new CairnError("INVALID_REQUEST", "The body did not arrive whole."));
    });
  });
}

function tooLarge(): CairnError {
  return new CairnError("PAYLOAD_TOO_LARGE", `The body is larger than ${BODY_LIMIT} bytes.`);
}
