import { posix } from "node:path";
import { initSync, parse } from "es-module-lexer";
import type { Program, Version } from "../versions/version.ts";
import { createFinding, type Finding, placeIn } from "./finding.ts";

/** Tools that both trees have whose handlers, or something they import, have other code. */
export function findHandlerChanges(before: Version, after: Version): readonly Finding[] {
  const [old, young] = [before.program.modules, after.program.modules];
  const paths = new Set([...old.keys(), ...young.keys()]);
  const changed = new Set([...paths].filter((path) => old.get(path) !== young.get(path)));
  if (changed.size === 0) return [];
  initSync();
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

/** A handler and all that it imports. Each module is read once. */
function createReach({ modules }: Program): (handler: string) => ReadonlySet<string> {
  const imports = new Map<string, readonly string[]>();

  const importsOf = (path: string): readonly string[] => {
    const code = modules.get(path);
    if (code === undefined) return [];
    const found = parse(code)[0].flatMap(({ n }) => (n === undefined ? [] : [posix.join(posix.dirname(path), n)]));
    imports.set(path, found);
    return found;
  };

  return (handler) => {
    const reached = new Set([handler]);
    // A set that grows while it is walked is walked to its new end.
    for (const path of reached) for (const target of imports.get(path) ?? importsOf(path)) reached.add(target);
    return reached;
  };
}
