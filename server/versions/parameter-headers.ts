import type { JsonSchema } from "../host-api.ts";
import { isObject } from "../json/is-object.ts";

/** In a tool's input schema, MCP's keyword for what clients repeat as a header, so that proxies need not read bodies. */
export const HEADER_KEYWORD = "x-mcp-header";

/** An argument that clients repeat as a header. */
export interface ParameterHeader {
  /** As the request has it: `Mcp-Param-Region`. */
  readonly header: string;
  /** Names of properties, from the root of the arguments. */
  readonly path: readonly string[];
}

/** The headers of a tool whose input schema has been checked: each on a property that `properties` alone lead to. */
export function listParameterHeaders({ properties }: JsonSchema, path: readonly string[] = []): ParameterHeader[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    const place = [...path, name];
    const value = schema[HEADER_KEYWORD];
    const own = typeof value === "string" ? [{ header: toHeader(value), path: place }] : [];
    return [...own, ...listParameterHeaders(schema, place)];
  });
}

/** The name of the header that a value of the keyword stands for. */
export function toHeader(value: string): string {
  return `Mcp-Param-${value}`;
}

/** Finds the argument of a call at `path`. */
export function findArgument(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
