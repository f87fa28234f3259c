import { isMap, isScalar, isSeq, type Scalar } from "yaml";
import type { Position } from "../position.ts";
import type { Finding } from "./finding.ts";
import { offsetOf } from "./locate.ts";

/** Keys that are no text, that are there twice, that JavaScript or YAML 1.1 gives a meaning; numbers JSON cannot carry. */
export function checkKeys(root: unknown, toPosition: (offset: number) => Position): readonly Finding[] {
  const findings: Finding[] = [];
  visit(root);
  return findings;

  function visit(node: unknown): void {
    if (isSeq(node)) node.items.forEach(visit);
    else if (isScalar(node)) checkNumber(node);
    else if (isMap(node)) {
      const seen = new Map<string, number>();
      for (const { key, value } of node.items) {
        checkKey(key, seen);
        visit(value);
      }
    }
  }

  function checkKey(key: unknown, seen: Map<string, number>): void {
    const offset = offsetOf(key);
    if (!isScalar(key) || typeof key.value !== "string") {
      const source = isScalar(key) ? (key.source ?? "") : "";
      const message = isScalar(key) ? `The key \`${source}\` is not a text.` : "A list or mapping is used as a key.";
      const fix = isScalar(key) ? `Put it in quotes: \`"${source}"\`.` : "Use a text as the key.";
      findings.push({ offset, rule: "yaml-key", message, fix });
    } else if (key.value === "__proto__") {
      const message = "The key `__proto__` changes what an object inherits instead of what it holds.";
      findings.push({ offset, rule: "yaml-key", message, fix: "Choose another name." });
    } else if (key.value === "<<") {
      const message = "The merge key `<<` is YAML that manifests do not use.";
      findings.push({ offset, rule: "yaml-feature", message, fix: "Write the keys out where they are needed." });
    } else if (seen.has(key.value)) {
      const { line } = toPosition(seen.get(key.value) ?? 0);
      const message = `The key \`${key.value}\` is already on line ${line}.`;
      findings.push({ offset, rule: "duplicate-key", message, fix: "Keep one of the two." });
    } else seen.set(key.value, offset);
  }

  function checkNumber(node: Scalar): void {
    if (typeof node.value !== "number") return;
    const source = node.source ?? "";
    const exact = Number.isSafeInteger(node.value) || (Number.isFinite(node.value) && /[.eE]/.test(source));
    if (exact) return;
    const message = `The number \`${source}\` has no exact form in JSON.`;
    const fix = Number.isFinite(node.value)
      ? `Write a smaller number, or a text: \`"${source}"\`.`
      : "Write a finite number.";
    findings.push({ offset: offsetOf(node), rule: "yaml-number", message, fix });
  }
}
