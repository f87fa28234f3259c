import { compareNames, readVersionName } from "../../../../versions/version-name.ts";
import type { Version } from "../../../../versions/version.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { TAKE, toPhrase } from "../to-phrase.ts";

const VERSION = "(?:version )?v?(?<version>\\d[\\w.+-]{0,100})";

/** Phrases that move labels. Clients that pinned a version or a commit keep it. */
export const LABEL_PHRASES: readonly Phrase[] = [
  toPhrase(`(?:point|advance) (?:the )?(?:label )?{label}(?: label)? (?:at|to|on|onto) ${VERSION}`, move),
  toPhrase(`(?:move|set|put|promote) (?:the )?label {label} (?:at|to|on|onto) ${VERSION}`, move),
  toPhrase(`(?:move|set|put|promote) (?:the )?{label}(?: label)? (?:at|to|on|onto) ${VERSION}`, moveKnown),
  toPhrase(`add (?:the |a )?label {label} (?:at|to|for|on) ${VERSION}`, add),
  toPhrase(`${TAKE} (?:the )?label {label}`, remove),
  toPhrase(
    `(?:roll back|roll|rollback|go back|revert|return) (?:the )?(?:label )?{label} (?:back )?to ${VERSION}`,
    rollBack,
  ),
  toPhrase(`(?:roll back|rollback|go back|revert|return) to ${VERSION}`, rollBackAll),
];

function move(said: Said): Deed | undefined {
  const { version } = said.ground;
  const label = said.name("label");
  if (!version.history.labels.has(label)) throw unknownLabel(version, label);
  return pointAt(version, [label], said.name("version"));
}

/** Moves a label that exists; other words could be about a parameter. */
function moveKnown(said: Said): Deed | undefined {
  return said.ground.version.history.labels.has(said.name("label")) ? move(said) : undefined;
}

function add(said: Said): Deed | undefined {
  const { version } = said.ground;
  const label = said.name("label");
  if (version.history.labels.has(label)) {
    throw refuse(
      `There is a label \`${label}\` already.`,
      `Say "point ${label} at ${said.name("version")}" to move it.`,
    );
  }
  return pointAt(version, [label], said.name("version"));
}

function remove(said: Said): Deed | undefined {
  const { version } = said.ground;
  const label = said.name("label");
  if (!version.history.labels.has(label)) throw unknownLabel(version, label);
  return removeLabels([label]);
}

/** Takes labels away. */
export function removeLabels(labels: readonly string[]): Deed {
  return async (bench) => {
    for (const label of labels) {
      await bench.remove("versions.yaml", ["labels", label]);
      bench.say(`The label \`${label}\` stands for no version any more.`);
    }
  };
}

function rollBack(said: Said): Deed | undefined {
  const { version } = said.ground;
  const label = said.name("label");
  if (!version.history.labels.has(label)) return undefined;
  refuseForward(version, [label], said.name("version"));
  return pointAt(version, [label], said.name("version"));
}

/** Moves the labels of the current version; where it has none, the only one of a later version than the one that is named. */
function rollBackAll(said: Said): Deed | undefined {
  const { version } = said.ground;
  const target = said.name("version");
  const { labels, current } = version.history;
  requireVersion(version, target);
  const now = [...labels].filter(([, name]) => name === current && name !== target);
  const later = [...labels].filter(([, name]) => isLater(name, target));
  const moved = (now.length > 0 ? now : later).map(([label]) => label);
  if (moved.length === 0) {
    throw refuse(
      `No label stands for a later version than \`${target}\`, so there is nothing to roll back.`,
      listLabels(version),
    );
  }
  if (now.length === 0 && moved.length > 1) {
    throw refuse(
      `Several labels stand for later versions: ${toList(moved)}.`,
      `Which one is meant? Say "roll back ${moved[0]} to ${target}".`,
    );
  }
  refuseForward(version, moved, target);
  return pointAt(version, moved, target);
}

/** Has labels stand for a version; refuses one that versions.yaml does not list. */
export function pointAt(version: Version, labels: readonly string[], target: string): Deed {
  requireVersion(version, target);
  return async (bench) => {
    for (const label of labels) {
      const was = version.history.labels.get(label);
      const isChanged = await bench.set("versions.yaml", ["labels", label], target);
      if (isChanged)
        bench.say(`The label \`${label}\` stands for ${target}${was === undefined ? "" : `; it stood for ${was}`}.`);
    }
  };
}

function requireVersion(version: Version, target: string): void {
  if (version.history.versions.has(target)) return;
  const names = [...version.history.versions.keys()];
  throw refuse(`versions.yaml lists no version \`${target}\`.`, `It lists ${toList(names)}.`);
}

function refuseForward(version: Version, labels: readonly string[], target: string): void {
  for (const label of labels) {
    const now = version.history.labels.get(label) ?? "";
    if (!isLater(target, now)) continue;
    throw refuse(
      `\`${label}\` stands for ${now}, so going to ${target} is no way back.`,
      `Say "point ${label} at ${target}" if that is meant.`,
    );
  }
}

function isLater(one: string, other: string): boolean {
  const [a, b] = [readVersionName(one), readVersionName(other)];
  return a !== undefined && b !== undefined && compareNames(a, b) < 0;
}

function unknownLabel(version: Version, label: string): Error {
  return refuse(`versions.yaml has no label \`${label.slice(0, 100)}\`.`, listLabels(version));
}

function listLabels({ history: { labels } }: Version): string {
  const shown = [...labels].map(([label, name]) => `\`${label}\` (${name})`);
  return shown.length === 0
    ? 'There are no labels; say "add the label <name> at <version>".'
    : `The labels are ${shown.join(", ")}.`;
}
