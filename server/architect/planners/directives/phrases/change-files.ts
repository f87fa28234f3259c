import { toFileLine } from "../../file-line.ts";
import { isObject } from "../../../../json/is-object.ts";
import type { Version } from "../../../../versions/version.ts";
import { refuse } from "../../../guard/refuse.ts";
import { applyDiff } from "../apply-diff.ts";
import { applyJsonPatch, isJsonPatch } from "../apply-json-patch.ts";
import { checkPlanPath } from "../check-plan-path.ts";
import { findTool } from "../find-tool.ts";
import type { Block, Deed, Phrase, Said } from "../phrase.ts";
import { readJson } from "../read-literal.ts";
import { TAKE, toPhrase } from "../to-phrase.ts";

const DIFF = "(?:unified )?(?:diff|patch|change|changes)";
const APPLY = "(?:apply|use|take|merge|commit|do)";

/** Files as a whole, and changes that are spelled out. */
export const FILE_PHRASES: readonly Phrase[] = [
  toPhrase(`${APPLY} (?:the |this |these |my )?attached ${DIFF}`, applyAttached),
  toPhrase(`${APPLY} (?:the |this |these |my )?${DIFF} (?:in|of|from) the attachments?`, applyAttached),
  toPhrase(
    `${APPLY} (?:the |this |these |my )?(?:following )?(?:${DIFF}|json patch|json-patch)(?: below)?`,
    applyBlock,
  ),
  toPhrase(
    `${APPLY} (?:(?:the |this |these )?(?:following )?(?:json[ -]patch|patch|changes?)|the following|this|these) to {file}:?(?: {patch})?`,
    applyTo,
  ),
  toPhrase(`(?:patch|change|edit) {file}:?(?: {patch})?`, applyTo),
  toPhrase(
    `(?<verb>add|create|write|replace) (?:the )?(?:new )?(?:file (?<file>\\S+?)|(?<file2>[\\w./-]+\\.\\w+))(?: (?:with|by|as follows|as))?:?`,
    writeFile,
  ),
  toPhrase(`${TAKE} (?:the )?(?:file )?(?<file>[\\w.-]+/[\\w./-]+\\.\\w+)`, removeFile),
  { pattern: /^$/, read: applyBlock },
];

function applyAttached(said: Said): Deed {
  const deeds = said.attachments.flatMap((block) => toDeed(block) ?? []);
  if (deeds.length === 0) {
    throw refuse("No diff is attached.", "Attach a unified diff as text, or write it into the message.");
  }
  return async (bench) => {
    for (const deed of deeds) await deed(bench);
  };
}

function applyBlock(said: Said): Deed | undefined {
  const block = said.block();
  if (block !== undefined) return toDeed(block);
  if (said.attachments.length > 0) return undefined;
  throw refuse("There is no diff in the message.", "Write a unified diff below the sentence, or attach it.");
}

/** Reads a block that spells out a change: a diff, or a JSON Patch with the file that it changes. */
function toDeed(block: Block): Deed | undefined {
  if (isDiff(block)) return (bench) => applyDiff(bench, block.text);
  const data = readJson(block.text);
  if (isObject(data) && typeof data["file"] === "string" && isJsonPatch(data["patch"])) {
    const { file, patch } = { file: data["file"], patch: data["patch"] };
    return (bench) => applyJsonPatch(bench, file, patch);
  }
  if (!isJsonPatch(data)) return undefined;
  const accepted = 'Say "apply this JSON Patch to <file>:", or send {"file": ..., "patch": [...]}.';
  throw refuse("The JSON Patch does not say which file it changes.", accepted);
}

function applyTo(said: Said): Deed | undefined {
  const file = toFile(said.ground.version, said.name("file"));
  if (file === undefined) return undefined;
  const given = said.value("patch");
  const block = given === undefined ? said.block() : undefined;
  if (block !== undefined && isDiff(block)) return toDeed(block);
  const patch = given ?? readJson(block?.text ?? "");
  if (!isJsonPatch(patch)) return undefined;
  return (bench) => applyJsonPatch(bench, file, patch);
}

/** A path, or the manifest of a tool. */
function toFile(version: Version, words: string): string | undefined {
  if (/^[\w./-]+\.ya?ml$/.test(words)) return words;
  const set = version.parameters.get(words.replace(/ (?:parameters|experiment)$/i, ""));
  return (/ (?:parameters|experiment)$/i.test(words) ? set?.file : undefined) ?? findTool(version, words)?.file;
}

function isDiff({ language }: Block): boolean {
  return language === "diff" || language === "patch";
}

function writeFile(said: Said): Deed {
  const path = said.name("file") || said.name("file2");
  checkPlanPath(path);
  const { ground } = said;
  const block = said.block();
  const exists = ground.files.includes(path);
  const verb = said.name("verb").toLowerCase();
  if (block === undefined)
    throw refuse(`What is to stand in \`${path}\` is missing.`, "Write it into a fenced block below the sentence.");
  if (exists && verb !== "replace" && verb !== "write") {
    throw refuse(
      `There is a file \`${path}\` already.`,
      `Say "replace the file ${path}:" if its text is to be another.`,
    );
  }
  if (!exists && verb === "replace") throw refuse(`There is no file \`${path}\`.`, `Say "add the file ${path}:".`);
  return async (bench) => {
    await bench.write(path, block.text);
    bench.say(toFileLine(exists ? "replaced" : "added", path));
  };
}

function removeFile(said: Said): Deed {
  const path = said.name("file");
  checkPlanPath(path);
  if (!said.ground.files.includes(path)) throw refuse(`There is no file \`${path}\`.`, "Name a file of this version.");
  return async (bench) => {
    await bench.write(path, null);
    bench.say(toFileLine("deleted", path));
  };
}
