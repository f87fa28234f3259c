import { CairnError } from "../errors.ts";

/** Bytes of a request's body; the listener enforces it while reading. */
export const BODY_LIMIT = 1024 * 1024;

/** Reads a JSON body, or rejects with UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or PARSE_ERROR. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new CairnError("UNSUPPORTED_MEDIA_TYPE", `The content type is \`${type}\`; it must be application/json.`);
  }
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") {
    // Nothing is unpacked here, so a small body cannot grow into a large one.
    throw new CairnError("UNSUPPORTED_MEDIA_TYPE", `The body is \`${encoding}\`-encoded; send it as it is.`);
  }
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new CairnError("PARSE_ERROR", `The body is not well-formed JSON: ${reason}`);
  }
}

async function readText(request: Request): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  const tooLarge = new CairnError("PAYLOAD_TOO_LARGE", `The body is larger than ${BODY_LIMIT} bytes.`);
  if (declared > BODY_LIMIT) throw tooLarge;
  try {
    return await request.text();
  } catch (error) {
    if ((error as { status?: unknown }).status === 413) throw tooLarge;
    throw new CairnError("INVALID_REQUEST", "The body did not arrive whole.", { cause: error });
  }
}
