import { CairnError } from "../../errors.ts";
import { holds, type Principal } from "../../principal.ts";
import type { Tool } from "../../versions/version.ts";

/** Denies by default: every capability the tool requires must be held. */
export function authorise(tool: Tool, principal: Principal): void {
  const missing = tool.requiredCapabilities.filter((capability) => !holds(principal, capability));
  if (missing.length > 0) {
    throw new CairnError(
      "FORBIDDEN",
      `\`${tool.name}\` requires ${missing.map((capability) => `\`${capability}\``).join(", ")}, which \`${principal.actor}\` does not hold.`,
    );
  }
}
