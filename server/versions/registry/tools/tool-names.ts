import type { Tool } from "../../version.ts";

export interface ToolName {
  readonly name: string;
  readonly version: string;
}

/** Writes a version's tools as `name@version` with spaces between: neither sign can be part of a name or a semver. */
export function writeToolNames(tools: Iterable<Pick<Tool, "name" | "version">>): string {
  return Array.from(tools, ({ name, version }) => `${name}@${version}`).join(" ");
}

/** The entries of such a text; `readToolName` takes one apart. */
export function splitToolNames(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

export function readToolName(entry: string): ToolName {
  const at = entry.indexOf("@");
  return { name: entry.slice(0, at), version: entry.slice(at + 1) };
}
