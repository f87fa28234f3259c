import { Range } from "semver";
import { CairnError } from "../../errors.ts";
import { suggest } from "../../text/suggest.ts";
import type { Resolved } from "../../versions/registry/resolve/resolve.ts";
import type { ToolChoice } from "../../versions/registry/tools/tool-catalogue.ts";
import type { ToolDirectory } from "../../versions/registry/tools/tool-directory.ts";
import type { Tool } from "../../versions/version.ts";

/** A tool of whichever version serves it. */
export interface ServedTool extends Resolved {
  readonly tool: Tool;
}

/** Decides if the caller may use a tool; each version decides for itself. */
export type MayUse = (served: ServedTool) => boolean;

export interface ServedTools {
  readonly tools: readonly ServedTool[];
  /** Versions nobody has looked at yet; what they have is not listed. */
  readonly unverified: number;
}

const MAX_SHOWN = 10;
const MAX_ECHO = 100;
const MAX_RANGE_LENGTH = 128;

/** The highest version of every tool that the caller may use, by name. A lower one never stands in for a forbidden one. */
export async function listServedTools(
  directory: ToolDirectory,
  mayUse: MayUse,
  includeUnstable: boolean,
): Promise<ServedTools> {
  const { choices, unverified } = await directory.list(includeUnstable);
  const tools: ServedTool[] = [];
  for (const choice of choices) {
    const served = await open(directory, choice);
    if (mayUse(served)) tools.push(served);
  }
  return { tools, unverified };
}

/**
 * The highest version of a tool, of those that `wanted` allows: a version such as `1.2.0`, or a range such as `^1.2`.
 * Rejects with BAD_REQUEST where that is neither, INVALID_TOOL where there is none, with what comes near.
 */
export async function findServedTool(
  directory: ToolDirectory,
  name: string,
  wanted: string | undefined,
  mayUse: MayUse,
): Promise<ServedTool> {
  const range = wanted === undefined ? undefined : readRange(wanted);
  const choice = await directory.find(name, range);
  if (choice !== undefined) return open(directory, choice);
  const available = wanted === undefined ? [] : await listVersions(directory, name, mayUse);
  if (available.length > 0) {
    throw new CairnError(
      "INVALID_TOOL",
      `No version of \`${name}\` fits \`${wanted}\`; there are ${available.join(", ")}.`,
      { details: { available } },
    );
  }
  const { tools } = await listServedTools(directory, mayUse, false);
  const suggestions = toSuggestions(
    name,
    tools.map(({ tool }) => tool.name),
  );
  throw new CairnError(
    "INVALID_TOOL",
    `There is no tool \`${name.slice(0, MAX_ECHO)}\`.${suggestions.length === 0 ? "" : ` There are ${suggestions.map((known) => `\`${known}\``).join(", ")}.`}`,
    { details: { suggestions } },
  );
}

async function open(directory: ToolDirectory, choice: ToolChoice): Promise<ServedTool> {
  const resolved = await directory.open(choice);
  const tool = resolved.version.tools.get(choice.name);
  if (tool === undefined) throw new TypeError(`${choice.carrier.tag} has no ${choice.name}, against its verdict.`);
  return { ...resolved, tool };
}

/** Of the highest versions of a tool, those that the caller may use. */
async function listVersions(directory: ToolDirectory, name: string, mayUse: MayUse): Promise<readonly string[]> {
  const usable: string[] = [];
  for (const version of directory.versionsOf(name).slice(0, MAX_SHOWN)) {
    const choice = await directory.find(name, new Range(version));
    if (choice !== undefined && mayUse(await open(directory, choice))) usable.push(version);
  }
  return usable;
}

/** Suggests other names for a wrong one: the most similar, then others. It shows no tools that the caller may not use. */
function toSuggestions(name: string, known: readonly string[]): readonly string[] {
  const near = suggest(name, known);
  return near === undefined ? known.slice(0, MAX_SHOWN) : [near];
}

function readRange(wanted: string): Range {
  try {
    if (wanted.trim() !== "" && wanted.length <= MAX_RANGE_LENGTH) return new Range(wanted);
  } catch {
    // The message is the same for every kind of wrong.
  }
  throw new CairnError(
    "BAD_REQUEST",
    `\`${wanted.slice(0, MAX_ECHO)}\` is neither a version such as 1.2.0 nor a range such as ^1.2.`,
  );
}
