import { ERRORS, type ErrorBody } from "../errors.ts";

/**
 * An error as servers with `errors: protocol` tell it. Their taxonomy has one error for every request that is wrong, the
 * too large ones among them; what else Cairn tells apart keeps its number of the same range.
 */
export function toDualBody(body: ErrorBody): ErrorBody {
  if (body.name !== "PAYLOAD_TOO_LARGE") return body;
  return { ...body, code: ERRORS.BAD_REQUEST.number, name: "BAD_REQUEST" };
}
