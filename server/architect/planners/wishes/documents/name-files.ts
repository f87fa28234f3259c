import type { Data, Message } from "../../../message/message.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { findRelevant } from "../guess/relevance.ts";

/** How a message names the files that a block of it is for. */
export interface NamedFiles {
  /** The words that stand next to the block, and in its comments. */
  readonly said: string;
  /** From 3 on: the file, or what it declares, is named as in the repository. */
  weightOf(file: string): number;
  /** The file that a name alone stands for. */
  fileOf(name: string): string | undefined;
  /** Tells whether files are named, and this is none of them. */
  isOther(file: string): boolean;
  /** Tells whether a key is said. */
  isNamed(key: string): boolean;
}

const NAMED = 3;
/** How much words count that only speak of what a file declares. */
const ABOUT = 0.5;

/** Finds the files that the words next to a block name; where these name none, those of the message count. */
export function nameFiles(block: Data, message: Message, clause: Clause, places: Places): NamedFiles {
  const names = listNames(places);
  const comments = block.text
    .split("\n")
    .filter((line) => /^\s*(?:#|\/\/)/.test(line))
    .join(" ");
  const near = `${comments} ${sentencesBefore(block, message)}`;
  const whole = `${near} ${message.segments.flatMap((one) => (one.kind === "sentence" ? [one.text] : [])).join(" ")}`;
  const isSaid = (name: string, text: string) => wordsIn(text).has(name.toLowerCase());
  const listFiles = (text: string) => new Set([...names].flatMap(([name, file]) => (isSaid(name, text) ? [file] : [])));
  const closest = [comments, near, whole].map(listFiles).find(({ size }) => size > 0) ?? new Set<string>();
  const relevant = new Map<string, number>();
  for (const [{ file }, { name, owner, soft }] of findRelevant(clause, places)) {
    const weight = name + Math.min(1, owner) + Math.min(1, soft);
    relevant.set(file, Math.max(relevant.get(file) ?? 0, weight));
  }
  return {
    said: whole,
    weightOf: (file) => (closest.has(file) ? NAMED : 0) + ABOUT * Math.min(2, relevant.get(file) ?? 0),
    fileOf: (name) => names.get(name.toLowerCase()),
    isOther: (file) => closest.size > 0 && !closest.has(file),
    isNamed: (key) => isSaid(key, whole) || isSaid(key.replaceAll("_", " "), whole),
  };
}

/** Names by which people call files: paths, with or without folders, and what they declare. */
function listNames({ version }: Places): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (name: string, file: string) => names.set(name.toLowerCase(), file);
  for (const { name, file } of version.parameters.values()) {
    add(name, file);
    addPaths(file);
  }
  for (const { name, file } of version.tools.values()) {
    const short = name.split(".").at(-1) ?? name;
    if (short.includes("_")) add(short, file);
    add(name, file);
    addPaths(file);
  }
  for (const { file } of version.policies) {
    addPaths(file);
    const name = (file.split("/").at(-1) ?? file).replace(/\.ya?ml$/, "");
    for (const word of ["policy", "policies"]) add(`${name} ${word}`, file);
    if (version.policies.length === 1) for (const word of ["policy", "policies"]) add(word, file);
  }
  return names;

  function addPaths(file: string): void {
    const parts = file.split("/");
    for (let at = 0; at < parts.length; at += 1) {
      const path = parts.slice(at).join("/");
      add(path, file);
      if (at < parts.length - 1) add(path.replace(/\.ya?ml$/, ""), file);
    }
  }
}

function sentencesBefore({ start }: Data, { segments }: Message): string {
  const before = segments.filter((one) => one.end <= start);
  const last = before.findLastIndex(({ kind }) => kind === "data");
  return before
    .slice(last + 1)
    .map(({ text }) => text)
    .join(" ");
}

/** The words of a text, with what belongs to a name kept together, and names of several words by pairs. */
function wordsIn(text: string): ReadonlySet<string> {
  const all = (text.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []).map((word) => word.replace(/[./-]+$/, ""));
  return new Set([...all, ...all.slice(1).map((word, at) => `${all[at] ?? ""} ${word}`)]);
}
