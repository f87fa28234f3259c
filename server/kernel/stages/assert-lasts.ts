import { CairnError } from "../../errors.ts";
import { showDeprecation, toSentence } from "../../versions/retirement/deprecation.ts";
import type { Retirements } from "../../versions/registry/retirements.ts";
import type { Call } from "../call.ts";

/**
 * Refuses calls of versions and tools whose service has ended, with what to use instead. Handlers may go on calling the tools
 * of their own version: callers of those were promised that they work.
 */
export function assertLasts(
  { version, tool, parent }: Call,
  retirements: Pick<Retirements, "refuse" | "findToolEnd">,
  now: number,
): void {
  if (parent !== undefined) return;
  const refusal = retirements.refuse(version);
  if (refusal !== undefined) throw refusal;
  if (tool.deprecated === undefined || retirements.findToolEnd(version, tool.deprecated) > now) return;
  const { sunset, successor, reason } = showDeprecation(tool.deprecated);
  const next = successor === undefined ? "" : ` Use \`${successor}\`.`;
  const details = { tool: tool.name, sunset, reason, ...(successor !== undefined && { successor }) };
  throw new CairnError("TOOL_RETIRED", `\`${tool.name}\` is retired since ${sunset}: ${toSentence(reason)}${next}`, {
    details,
  });
}
