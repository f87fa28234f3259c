import type { Check, Json } from "../../../json/types.ts";
import { LRUCache } from "lru-cache";
import type { JsonSchema } from "../../../host-api.ts";

import { compileSchema } from "./compile-schema.ts";
import { createStripUndeclared } from "./strip-undeclared.ts";
import { createDefaults } from "./with-defaults.ts";

export interface CompiledSchema {
  readonly check: Check;
  readonly withDefaults: (value: unknown) => unknown;
  readonly stripUndeclared: (value: Json) => Json;
}

/** A compiled schema, or ajv's reason why it is none. */
export type SchemaCompiler = (schema: JsonSchema) => CompiledSchema | string;

/** Compiles each schema once for all versions that have it; keeps so many characters of schemas. */
export function createSchemaCompiler(maxTextKept: number): SchemaCompiler {
  const cache = new LRUCache<string, CompiledSchema | string>({
    maxSize: maxTextKept,
    sizeCalculation: (_compiled, text) => text.length,
  });
  return (schema) => {
    const key = JSON.stringify(schema);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const compiled = compile(schema);
    cache.set(key, compiled);
    return compiled;
  };
}

function compile(schema: JsonSchema): CompiledSchema | string {
  try {
    return Object.freeze({
      check: compileSchema(schema),
      withDefaults: createDefaults(schema),
      stripUndeclared: createStripUndeclared(schema),
    });
  } catch (error) {
    return error instanceof Error ? error.message.replace("strict mode: ", "") : String(error);
  }
}
