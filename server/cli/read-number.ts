import { CairnError } from "../errors.ts";

/** The number that an option gives, or `otherwise` without one. @throws BAD_REQUEST for one that is none, or out of range. */
export function readNumber(
  option: string,
  text: string | undefined,
  { otherwise, min, max, isWhole }: { otherwise: number; min: number; max: number; isWhole: boolean },
): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() !== "" && value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
  const kind = isWhole ? "whole number" : "number";
  throw new CairnError(
    "BAD_REQUEST",
    `\`--${option}\` is a ${kind} from ${min} to ${max}, not \`${text.slice(0, 40)}\`.`,
  );
}
