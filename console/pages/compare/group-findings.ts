import { words } from "#words/compare.ts";
import type { Finding } from "../../service/differences.ts";

/** Groups findings by the tool or other part that they are about, in their order: the largest bump comes first. */
export function groupFindings(findings: readonly Finding[]): readonly (readonly [string, readonly Finding[]])[] {
  const groups = Map.groupBy(findings, ({ tool, of, server }) => tool ?? of ?? server ?? words.tree);
  return [...groups];
}
