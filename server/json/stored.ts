import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { CairnError } from "../errors.ts";
import { OWN_SCHEMA_OPTIONS } from "./own-schema-options.ts";

/**
 * Checks that what the store gave back is a record of the kind that `schemas/<kind>.schema.json` describes: an older or
 * newer Cairn, or a hand in the data folder, may have written something else.
 */
export function createRecordReader<Stored>(kind: string): (value: unknown) => Stored {
  // Compiled when the first record is read.
  let validate: ValidateFunction<Stored> | undefined;
  return (value) => {
    validate ??= compile<Stored>(kind);
    if (validate(value)) return value;
    const [{ instancePath = "", message = "" } = {}] = validate.errors ?? [];
    throw new CairnError("INTERNAL_ERROR", `A stored ${kind} cannot be understood: \`${instancePath}\` ${message}.`);
  };
}

function compile<Stored>(kind: string): ValidateFunction<Stored> {
  const schema: unknown = JSON.parse(
    readFileSync(new URL(`../../schemas/${kind}.schema.json`, import.meta.url), "utf8"),
  );
  return new Ajv2020({ ...OWN_SCHEMA_OPTIONS, strict: true, strictTypes: false }).compile<Stored>(schema as object);
}
