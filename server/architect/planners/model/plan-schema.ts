import { readFileSync } from "node:fs";
import type { JsonSchema } from "../../../host-api.ts";

/** schemas/architect-plan.schema.json: what a model submits. */
export const PLAN_SCHEMA: JsonSchema = Object.freeze(
  JSON.parse(
    readFileSync(new URL("../../../../schemas/architect-plan.schema.json", import.meta.url), "utf8"),
  ) as JsonSchema,
);
