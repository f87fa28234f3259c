import { isObject } from "../../json/is-object.ts";
import { readYaml } from "../../versions/manifests/yaml/read-yaml.ts";
import { toKind } from "../../versions/manifests/to-kind.ts";
import type { Version } from "../../versions/version.ts";
import type { Message } from "../message/message.ts";
import { isMentioned, isNamed } from "./is-named.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";

/** Folder of handlers, and of the code that they share. */
const CODE = "tools/";

/**
 * Finds tools that a change touches, by their manifests or their handlers, and that the message does not mean: it names others, says of
 * these what not to do, or names none while several would change. Shared code that is there already counts unless it is named.
 */
export function findOtherTools(
  files: readonly ChangedFile[],
  message: Message,
  version: Version,
): readonly Overreach[] {
  const changed = files.filter(({ before, after }) => before !== after);
  const tools = new Map<string, string>();
  for (const file of changed) {
    const name = findTool(file, changed, version);
    if (name !== undefined && !tools.has(name)) tools.set(name, file.path);
  }
  const isAnyNamed = [...version.tools.keys(), ...tools.keys()].some((name) => isNamed(message, [toNames(name)]));
  const others = [...tools].filter(([name]) => tools.size > 1 || isAnyNamed || isMentioned(message, [toNames(name)]));
  const shared = changed.filter((file) => file.before !== undefined && isShared(file, changed, version));
  return [
    ...others.map(([name, path]) => toOverreach(path, `the tool \`${name}\``, toNames(name))),
    ...shared.map(({ path }) =>
      toOverreach(path, "code that tools share", [path, path.slice(path.lastIndexOf("/") + 1)]),
    ),
  ];
}

function toOverreach(path: string, what: string, names: readonly string[]): Overreach {
  const message = `\`${path}\` would change ${what}, which the message does not name.`;
  return { rule: "tool", path, message, ask: { sentence: `Change ${names[0] ?? ""}.`, words: [names] } };
}

/** A message may call a tool by its name with its server or without, and with spaces. */
function toNames(name: string): readonly string[] {
  const short = name.slice(name.indexOf(".") + 1);
  return [...new Set([name, short, short.replaceAll("_", " ")])];
}

/** Finds the tool that a file is the manifest or the handler of; undefined for all other files. */
function findTool({ path, before, after }: ChangedFile, changed: readonly ChangedFile[], version: Version) {
  if (toKind(path, new Set()).kind === "tool") return nameOf(path, before ?? after ?? "");
  if (!path.startsWith(CODE)) return undefined;
  const own = [...version.tools.values()].find(({ handler }) => handler === path);
  if (own !== undefined) return own.name;
  // A new tool has its manifest and its handler under one name.
  const manifest = path.replace(CODE, "manifests/").replace(/\.ts$/, ".yaml");
  const beside = changed.find((file) => file.path === manifest);
  return beside && nameOf(beside.path, beside.after ?? "");
}

function isShared(file: ChangedFile, changed: readonly ChangedFile[], version: Version): boolean {
  return file.path.startsWith(CODE) && findTool(file, changed, version) === undefined;
}

function nameOf(path: string, text: string): string {
  const yaml = readYaml(path, text);
  const name = yaml.ok && isObject(yaml.value) ? yaml.value["name"] : undefined;
  return typeof name === "string" ? name : path;
}
