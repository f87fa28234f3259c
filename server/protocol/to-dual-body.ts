import { ERRORS, type ErrorBody } from "../errors.ts";
import { isObject } from "../json/is-object.ts";

/**
 * An error as servers with `errors: protocol` tell it. Their taxonomy has one error for every parameter that is wrong, bodies
 * that are too large and numbers that no machine has among them; what else Cairn tells apart keeps its number of the same range.
 */
export function toDualBody(body: ErrorBody): ErrorBody {
  const isNumber = body.name === "INVALID_REQUEST" && isObject(body.details) && "number" in body.details;
  if (body.name !== "PAYLOAD_TOO_LARGE" && !isNumber) return body;
  return { ...body, code: ERRORS.BAD_REQUEST.number, name: "BAD_REQUEST" };
}
