import { isObject } from "../../json/is-object.ts";
import { createReach } from "../../semver/declared/handler-reach.ts";
import { readYaml } from "../../versions/manifests/yaml/read-yaml.ts";
import { toKind } from "../../versions/manifests/to-kind.ts";
import type { Version } from "../../versions/version.ts";
import type { Message } from "../message/message.ts";
import { isMentioned, isNamed } from "./is-named.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";

/** Folder of handlers, and of the code that they share. */
const CODE = "tools/";

/**
 * Finds tools that a change touches, by their manifests, their handlers or code that these import, and that the message does not mean:
 * it names others, says of these what not to do, or names none while several would change.
 */
export function findOtherTools(
  files: readonly ChangedFile[],
  message: Message,
  version: Version,
): readonly Overreach[] {
  const changed = files.filter(({ before, after }) => before !== after);
  const reach = createReach(version.program);
  const tools = new Map<string, string>();
  for (const file of changed) {
    for (const name of findTools(file, changed, version, reach)) if (!tools.has(name)) tools.set(name, file.path);
  }
  const isAnyNamed = [...version.tools.keys(), ...tools.keys()].some((name) => isNamed(message, [toNames(name)]));
  return [...tools]
    .filter(([name]) => tools.size > 1 || isAnyNamed || isMentioned(message, [toNames(name)]))
    .map(([name, path]) => ({
      rule: "tool",
      path,
      message: `\`${path}\` would change the tool \`${name}\`, which the message does not name.`,
      ask: { sentence: `Change \`${name}\`.`, words: [toNames(name)] },
    }));
}

/** Lists how a message may call a tool: by its name with its server or without, and with spaces. */
function toNames(name: string): readonly string[] {
  const short = name.slice(name.indexOf(".") + 1);
  return [...new Set([name, short, short.replaceAll("_", " ")])];
}

/** Finds the tools that a file is of; none for pages, tests and what no tool uses. */
function findTools(
  { path, before, after }: ChangedFile,
  changed: readonly ChangedFile[],
  version: Version,
  reach: ReturnType<typeof createReach>,
): readonly string[] {
  if (toKind(path, new Set()).kind === "tool") return [nameOf(path, before ?? after ?? "")];
  if (!path.startsWith(CODE)) return [];
  // A new tool has its manifest and its handler under one name.
  const manifest = path.replace(CODE, "manifests/").replace(/\.ts$/, ".yaml");
  const beside = changed.find((file) => file.path === manifest);
  if (beside !== undefined) return [nameOf(beside.path, beside.before ?? beside.after ?? "")];
  return [...version.tools.values()].filter(({ handler }) => reach(handler).has(path)).map(({ name }) => name);
}

function nameOf(path: string, text: string): string {
  const yaml = readYaml(path, text);
  const name = yaml.ok && isObject(yaml.value) ? yaml.value["name"] : undefined;
  return typeof name === "string" ? name : path;
}
