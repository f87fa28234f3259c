import type { Options } from "ajv/dist/2020.js";

/**
 * Ajv's options for schemas of Cairn's own: the tests have compared them with the meta-schema, which takes ten times as long to
 * compile as any of them.
 */
export const OWN_SCHEMA_OPTIONS: Options = Object.freeze({ meta: false, validateSchema: false });
