import type { Tool, Version } from "../../../versions/version.ts";
import { refuse, toList } from "../../guard/refuse.ts";
import { listFields, looksLikeName } from "./find-field.ts";

/** The tool that words name; undefined where they name none. Refuses what could be several, and names that look like one. */
export function findTool(version: Version, words: string): Tool | undefined {
  const found = listTools(version, words);
  if (found.length > 1) {
    const names = found.map(({ name }) => name);
    throw refuse(`\`${words}\` could be any of ${toList(names)}.`, `Which tool is meant: ${toList(names, "or")}?`);
  }
  if (found[0] === undefined && looksLikeName(words)) throw unknownTool(version, words);
  return found[0];
}

/**
 * Finds the tool that goes, now or later: one word of its name or title is not enough, as many things have it ("remove locker"), and what is
 * not found leaves the sentence to others.
 */
export function findWholeTool(version: Version, words: string): Tool | undefined {
  const tool = findTool(version, words);
  const wanted = toBare(words);
  const isPart = tool !== undefined && !/\s/.test(wanted) && !CALLED.some((is) => is(tool, wanted));
  return isPart ? undefined : tool;
}

/** Finds a tool as above, where the words certainly mean one; throws a question otherwise. */
export function requireTool(version: Version, words: string): Tool {
  const tool = findTool(version, words);
  if (tool === undefined) throw unknownTool(version, words);
  return tool;
}

/** Words without what only says that they name a tool. */
function toBare(words: string): string {
  return words
    .toLowerCase()
    .replace(/^tool /, "")
    .replace(/ tool$/, "");
}

/** Ways to call a tool as its manifest does. */
const CALLED: readonly ((tool: Tool, wanted: string) => boolean)[] = [
  ({ name }, wanted) => name.toLowerCase() === wanted,
  (tool, wanted) => stemOf(tool) === wanted || stemOf(tool) === wanted.replaceAll(/[\s-]/g, "_"),
  ({ title }, wanted) => title?.toLowerCase() === wanted,
];

function listTools(version: Version, words: string): readonly Tool[] {
  const wanted = toBare(words);
  const tools = [...version.tools.values()];
  const steps: readonly ((tool: Tool) => boolean)[] = [
    ...CALLED.map((is) => (tool: Tool) => is(tool, wanted)),
    // "Drop note" means the field of that name, and not the tool "Add a note".
    (tool) => !isField(version, wanted) && wanted.split(/\s+/).every((word) => wordsOf(tool).has(word)),
  ];
  for (const fits of steps) {
    const found = tools.filter(fits);
    if (found.length > 0) return found;
  }
  return [];
}

function isField({ tools }: Version, name: string): boolean {
  return [...tools.values()].some((tool) => listFields(tool, "input").some((field) => field.name === name));
}

function stemOf({ name, server }: Tool): string {
  return (name.startsWith(`${server}.`) ? name.slice(server.length + 1) : name).toLowerCase();
}

function wordsOf(tool: Tool): ReadonlySet<string> {
  const text = `${stemOf(tool)} ${tool.title ?? ""}`;
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ""),
  );
}

function unknownTool(version: Version, words: string): Error {
  const names = [...version.tools.keys()];
  return refuse(
    `There is no tool \`${words.slice(0, 100)}\` in version ${version.semver}.`,
    `Its tools are ${toList(names)}.`,
  );
}
