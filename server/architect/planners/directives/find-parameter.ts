import type { Parameter, ParameterSet, Version } from "../../../versions/version.ts";
import { refuse, toList } from "../../guard/refuse.ts";

export interface FoundParameter {
  readonly set: ParameterSet;
  readonly name: string;
  readonly parameter: Parameter;
}

/** The parameter that words name: `match_threshold`, `chat.match_threshold`, `match threshold of chat`. */
export function findParameter(version: Version, words: string): FoundParameter | undefined {
  const plain = words.replace(/^parameter /i, "").replace(/ parameter$/i, "");
  const [, inner = plain, outer] = /^(.+?) (?:of|in|for) (?:the )?(.+)$/i.exec(plain) ?? [];
  const [, dottedSet, dotted = ""] = /^([^.\s]+)\.([^.\s]+)$/.exec(inner) ?? [];
  const setName = (dottedSet ?? outer)?.replace(/ (?:parameters|experiment|set|tool)$/i, "");
  const name = toIdentifier(dottedSet === undefined ? inner.replace(/ parameter$/i, "") : dotted);
  const sets = [...version.parameters.values()].filter(
    (set) => setName === undefined || isOf(version, set, toIdentifier(setName)),
  );
  const found = sets.flatMap((set) =>
    [...set.parameters]
      .filter(([own]) => own.toLowerCase() === name)
      .map(([own, parameter]) => ({ set, name: own, parameter })),
  );
  if (found.length > 1) {
    const names = found.map(({ set, name: own }) => `${set.name}.${own}`);
    throw refuse(
      `\`${words}\` is a parameter of several sets: ${toList(names)}.`,
      `Which one is meant: ${toList(names, "or")}?`,
    );
  }
  if (found[0] === undefined && dottedSet !== undefined && version.parameters.has(dottedSet)) {
    throw unknownParameter(version, words);
  }
  return found[0];
}

export function unknownParameter(version: Version, words: string): Error {
  const names = [...version.parameters.values()].flatMap((set) =>
    [...set.parameters.keys()].map((name) => `${set.name}.${name}`),
  );
  const accepted = names.length === 0 ? "It has no parameters." : `Its parameters are ${toList(names)}.`;
  return refuse(`There is no parameter \`${words.slice(0, 100)}\` in version ${version.semver}.`, accepted);
}

/** The set that is tuned and has that name; undefined where there is none. */
export function findExperiment(version: Version, words: string): ParameterSet | undefined {
  const name = toIdentifier(words.replace(/ (?:experiment|tuning|parameters|set|tool)$/i, ""));
  const set = version.parameters.get(name);
  if (set === undefined || set.experiment !== undefined) return set;
  throw refuse(`\`${set.name}\` is not tuned: it has no experiment.`, listExperiments(version));
}

/** Finds an experiment as above, where the words certainly mean one; throws a question otherwise. */
export function requireExperiment(version: Version, words: string): ParameterSet {
  const set = findExperiment(version, words);
  if (set !== undefined) return set;
  throw refuse(
    `There is no experiment \`${words.slice(0, 100)}\` in version ${version.semver}.`,
    listExperiments(version),
  );
}

function listExperiments(version: Version): string {
  const names = [...version.parameters.values()].filter(({ experiment }) => experiment !== undefined);
  return names.length === 0
    ? "It has no experiments."
    : `Its experiments are ${toList(names.map(({ name }) => name))}.`;
}

/** Checks that a name means the set: its own name, or that of a tool that reads it. */
function isOf(version: Version, set: ParameterSet, owner: string): boolean {
  if (set.name === owner) return true;
  const readers = [...version.tools.values()].filter(({ parameters }) => parameters.includes(set.name));
  return readers.some(({ name }) => name.toLowerCase() === owner || name.toLowerCase().endsWith(`.${owner}`));
}

function toIdentifier(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}
