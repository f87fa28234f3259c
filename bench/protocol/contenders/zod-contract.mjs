/** The contract's schemas as peers want them: in Zod, with the same limits and no properties beyond those named. */
import { z } from "zod";
import { BOUND, LABEL_LENGTH, NOTE_LENGTH, TEXT_LENGTH, UNITS } from "../contract.ts";

export const ZOD_INPUT = z.strictObject({
  a: z.number().min(-BOUND).max(BOUND),
  b: z.number().min(-BOUND).max(BOUND),
  unit: z.enum(UNITS),
  label: z.string().min(1).max(LABEL_LENGTH),
  note: z.string().max(NOTE_LENGTH),
});

export const ZOD_OUTPUT = z.strictObject({
  sum: z.number(),
  unit: z.enum(UNITS),
  label: z.string().max(LABEL_LENGTH),
  text: z.string().max(TEXT_LENGTH),
});
