import type { Report } from "./failure.ts";
import { isMultiple } from "./evaluate.ts";
import { isAbove, isBelow } from "./intersect.ts";
import type { Bound, NumberShape } from "./shape.ts";

export function includesNumber(
  shape: NumberShape,
  other: NumberShape,
  path: readonly string[],
  report: Report,
): boolean {
  let ok = true;
  const fail = (message: string) => {
    ok = false;
    report(path, "bound-narrowed", message);
  };
  const tight = tighten(shape);
  const wide = other.integer || shape.integer ? { ...other, ...pick(tighten({ ...other, integer: true })) } : other;
  if (isAbove(wide.min, tight.min)) fail(`the least is now ${show(other.min)}`);
  if (isBelow(wide.max, tight.max)) fail(`the most is now ${show(other.max)}`);
  if (other.integer && !shape.integer) fail("only whole numbers are allowed now");
  for (const multiple of other.multiples) {
    const isSure =
      shape.multiples.some((own) => isMultiple(own, multiple) === true) ||
      (shape.integer && isMultiple(1, multiple) === true);
    if (!isSure) fail(`only multiples of ${multiple} are allowed now`);
  }
  return ok;
}

/** Bounds of whole numbers, moved to the next ones. */
export function tighten(shape: NumberShape): NumberShape {
  if (!shape.integer) return shape;
  const { min, max } = shape;
  const least = min.exclusive && Number.isInteger(min.at) ? min.at + 1 : Math.ceil(min.at);
  const most = max.exclusive && Number.isInteger(max.at) ? max.at - 1 : Math.floor(max.at);
  return { ...shape, min: { at: least, exclusive: false }, max: { at: most, exclusive: false } };
}

function pick({ min, max }: NumberShape) {
  return { min, max };
}

function show({ at, exclusive }: Bound): string {
  return exclusive ? `beyond ${at}` : String(at);
}
