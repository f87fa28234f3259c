import type { Version } from "../versions/version.ts";
import { createFinding, type Finding, placeIn } from "./finding.ts";
import { createReach } from "./handler-reach.ts";

/** Tools that both trees have whose handlers, or something they import, have other code. */
export function findHandlerChanges(before: Version, after: Version): readonly Finding[] {
  const [old, young] = [before.program.modules, after.program.modules];
  const paths = new Set([...old.keys(), ...young.keys()]);
  const changed = new Set([...paths].filter((path) => old.get(path) !== young.get(path)));
  if (changed.size === 0) return [];
  const [reachedBefore, reachedAfter] = [createReach(before.program), createReach(after.program)];
  return [...after.tools.values()].flatMap((tool) => {
    const known = before.tools.get(tool.name);
    if (known === undefined) return [];
    const reached = new Set([...reachedBefore(known.handler), ...reachedAfter(tool.handler)]);
    const [first, ...others] = [...reached].filter((path) => changed.has(path));
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    const message = `\`${first}\`${more} has other code.`;
    const place = young.has(first) ? placeIn("after", first) : placeIn("after", tool.handler);
    return [createFinding("handler-changed", message, place, { server: tool.server, tool: tool.name })];
  });
}
