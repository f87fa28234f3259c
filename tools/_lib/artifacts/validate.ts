import type { Context, SchemaViolation } from "../../../server/host-api.ts";
import type { Schema } from "./artifact.ts";
import { toExample } from "./example.ts";

/** Mode of validation against interfaces: off, reported, or refused. */
export type Mode = "off" | "warn" | "on";

/** The mode of `executor.validate_artifact_args`; `true` is `on`, `false` is `off`. */
export function toMode(configured: string | number | boolean | undefined): Mode {
  if (configured === true || configured === "on") return "on";
  return configured === "warn" ? "warn" : "off";
}

/** Checked part, for messages: `The arguments of calculator`. */
interface Checked {
  readonly subject: string;
  readonly value: unknown;
  readonly schema: Schema;
}

type Ctx = Pick<Context, "schema" | "fail" | "log">;

/**
 * Holds arguments against what an interface says. `on`: BAD_REQUEST that says what is wrong, what is expected, and what
 * would be right. `warn`: answers with the warning, which is logged, too.
 */
export async function validateArguments(ctx: Ctx, mode: Mode, checked: Checked): Promise<string | undefined> {
  if (mode === "off") return undefined;
  const { schema, value } = checked;
  const violations = await ctx.schema.check(schema, value ?? null);
  if (violations.length === 0) return undefined;
  const example = await findExample(ctx, schema);
  const right = example === undefined ? "" : ` This would be right: ${JSON.stringify(example.value)}.`;
  const message = `${checked.subject} are wrong: ${toSentence(violations)}${right}`;
  if (mode === "on") {
    const shown = example === undefined ? {} : { example: example.value };
    throw ctx.fail("BAD_REQUEST", message, { violations, expected: schema, ...shown });
  }
  ctx.log.warning(message);
  return message;
}

/** Validates a result, whose faults are the artifact's: UNPROCESSABLE. */
export async function validateResult(ctx: Ctx, mode: Mode, checked: Checked): Promise<string | undefined> {
  if (mode === "off") return undefined;
  const violations = await ctx.schema.check(checked.schema, checked.value ?? null);
  if (violations.length === 0) return undefined;
  const message = `${checked.subject} is not what its interface says: ${toSentence(violations)}`;
  if (mode === "on") throw ctx.fail("UNPROCESSABLE", message, { violations, expected: checked.schema });
  ctx.log.warning(message);
  return message;
}

/** An example that the schema really takes, if one can be made. */
export async function findExample(
  { schema: schemas }: Pick<Context, "schema">,
  schema: Schema,
): Promise<{ readonly value: unknown } | undefined> {
  const value = toExample(schema);
  return (await schemas.check(schema, value)).length === 0 ? { value } : undefined;
}

function toSentence(violations: readonly SchemaViolation[]): string {
  return `${violations.map(({ message }) => message.replace(/\.$/, "")).join("; ")}.`;
}
