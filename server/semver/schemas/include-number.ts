import { areMultiples, isAbove, isBelow, isMultiple, tighten } from "./bounds.ts";
import type { Report } from "./include.ts";
import type { NumberShape } from "./shape.ts";

export function includesNumber(
  shape: NumberShape,
  other: NumberShape,
  path: readonly string[],
  report: Report,
): boolean {
  let ok = true;
  const fail = (phrase: string, isRight: (value: number) => boolean) => {
    ok = false;
    report(path, "bound-narrowed", phrase, (value) => typeof value === "number" && !isRight(value));
  };
  const tight = tighten(shape);
  const wide = shape.integer ? tighten({ ...other, integer: true }) : tighten(other);
  const { min, max } = other;
  if (isAbove(wide.min, tight.min)) {
    const isRight = (value: number) => (min.exclusive ? value > min.at : value >= min.at);
    fail(`must now be ${min.exclusive ? "more than" : "at least"} ${min.at}`, isRight);
  }
  if (isBelow(wide.max, tight.max)) {
    const isRight = (value: number) => (max.exclusive ? value < max.at : value <= max.at);
    fail(`must now be ${max.exclusive ? "less than" : "at most"} ${max.at}`, isRight);
  }
  if (other.integer && !shape.integer) fail("must now be a whole number", Number.isInteger);
  for (const multiple of other.multiples) {
    const isSure =
      shape.multiples.some((own) => areMultiples(own, multiple)) || (shape.integer && areMultiples(1, multiple));
    if (!isSure) fail(`must now be a multiple of ${multiple}`, (value) => isMultiple(value, multiple) === true);
  }
  return ok;
}
