import type { Report } from "./failure.ts";
import type { StringShape } from "./shape.ts";

/** Patterns and formats are compared by their text: what else they have in common is not decided. */
export function includesString(
  shape: StringShape,
  other: StringShape,
  path: readonly string[],
  report: Report,
): boolean {
  let ok = true;
  const fail = (rule: "length-narrowed" | "pattern-narrowed", message: string) => {
    ok = false;
    report(path, rule, message);
  };
  if (other.minLength > shape.minLength) fail("length-narrowed", `the least length is now ${other.minLength}`);
  if (other.maxLength < shape.maxLength) fail("length-narrowed", `the most length is now ${other.maxLength}`);
  for (const pattern of other.patterns) {
    if (!shape.patterns.has(pattern)) fail("pattern-narrowed", `it must now match \`${pattern.slice(0, 80)}\``);
  }
  for (const format of other.formats) {
    if (!shape.formats.has(format)) fail("pattern-narrowed", `it must now be of the format \`${format}\``);
  }
  return ok;
}
