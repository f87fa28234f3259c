import { Ajv2020, type JSONSchemaType, type ValidateFunction } from "ajv/dist/2020.js";
import { CairnError } from "../errors.ts";
import { OWN_SCHEMA_OPTIONS } from "../json/own-schema-options.ts";

const ajv = new Ajv2020({ ...OWN_SCHEMA_OPTIONS, strict: true, strictRequired: false, allErrors: false });

/** Makes a check that a value has the shape that `schema` describes. */
export function createShapeCheck<Value>(schema: object): (value: unknown) => value is Value {
  let validate: ValidateFunction<Value> | undefined;
  return (value): value is Value => (validate ??= ajv.compile<Value>(schema))(value);
}

/** Refuses arguments that do not match `schema`: handlers are free to send anything, and their types are erased. */
export function createArgumentCheck<Arguments>(syscall: string, schema: JSONSchemaType<Arguments> | object) {
  // Compiled on first use: most services never see most syscalls.
  let validate: ValidateFunction<Arguments> | undefined;
  return (args: unknown): Arguments => {
    validate ??= ajv.compile<Arguments>(schema);
    if (validate(args)) return args;
    const [error] = validate.errors ?? [];
    const place = error?.instancePath ? `\`${error.instancePath.slice(1)}\` ` : "its arguments ";
    throw new CairnError("BAD_REQUEST", `\`ctx.${syscall}\`: ${place}${error?.message ?? "do not fit"}.`);
  };
}

/** Refuses arguments that are no object with exactly these members. */
export function createMemberCheck<Arguments>(syscall: string, required: readonly string[], properties: object) {
  return createArgumentCheck<Arguments>(syscall, { type: "object", required, properties, additionalProperties: false });
}
