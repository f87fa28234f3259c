import type { Answer } from "../../create-route.ts";

/** A request that reads something, with what its documentation says of it. */
export interface Operation {
  /** With parameters in braces: `/agent/{version}/api/rights`. */
  readonly path: string;
  /** Its name in OpenAPI, in snake case. */
  readonly id: string;
  readonly summary: string;
  /** The scope that it needs, or a mark of `create-route.ts`. */
  readonly access: string | symbol;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Stem of the file in `schemas/` that describes the answer. */
  readonly schema: string;
  readonly answer: Answer;
}

interface QueryParameter {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

export const CURSOR_PARAMETER: QueryParameter = {
  description: "`next` of the page before; nothing else may be read from it",
  schema: { type: "string" },
};

export function toLimitParameter(usual: number, most: number): QueryParameter {
  return {
    description: "At most so many on a page",
    schema: { type: "integer", minimum: 1, maximum: most, default: usual },
  };
}

export const SINCE_PARAMETER: QueryParameter = {
  description: "Not before this time",
  schema: { type: "string", format: "date-time" },
};

export const UNTIL_PARAMETER: QueryParameter = { ...SINCE_PARAMETER, description: "Before this time" };

export function toTextParameter(description: string): QueryParameter {
  return { description, schema: { type: "string", maxLength: 200 } };
}
