import { areMultiples, isAbove, isBelow, tighten } from "./bounds.ts";
import type { Report } from "./include.ts";
import type { NumberShape } from "./shape.ts";

export function includesNumber(
  shape: NumberShape,
  other: NumberShape,
  path: readonly string[],
  report: Report,
): boolean {
  let ok = true;
  const fail = (phrase: string) => {
    ok = false;
    report(path, "bound-narrowed", phrase);
  };
  const tight = tighten(shape);
  const wide = shape.integer ? tighten({ ...other, integer: true }) : tighten(other);
  if (isAbove(wide.min, tight.min))
    fail(`must now be ${other.min.exclusive ? "more than" : "at least"} ${other.min.at}`);
  if (isBelow(wide.max, tight.max))
    fail(`must now be ${other.max.exclusive ? "less than" : "at most"} ${other.max.at}`);
  if (other.integer && !shape.integer) fail("must now be a whole number");
  for (const multiple of other.multiples) {
    const isSure =
      shape.multiples.some((own) => areMultiples(own, multiple)) || (shape.integer && areMultiples(1, multiple));
    if (!isSure) fail(`must now be a multiple of ${multiple}`);
  }
  return ok;
}
