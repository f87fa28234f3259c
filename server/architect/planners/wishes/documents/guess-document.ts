import { CairnError } from "../../../../errors.ts";
import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import type { Data, Message, Sentence } from "../../../message/message.ts";
import { ownSentences } from "../../../message/read-message.ts";
import { applyDiff } from "../../directives/apply-diff.ts";
import { applyJsonPatch, isJsonPatch } from "../../directives/apply-json-patch.ts";
import { type Bench, createBench } from "../../directives/bench.ts";
import { isNameless } from "../../directives/complete-diff.ts";
import type { Deed } from "../../directives/phrase.ts";
import { readData } from "../../directives/read-literal.ts";
import type { RejectPlan } from "../../plan.ts";
import type { Ground } from "../../planner.ts";
import type { Choice } from "../choices.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { findBlocks } from "./find-blocks.ts";
import { type Candidate, GUARDED, listFragments, NAMED } from "./list-fragments.ts";
import { type NamedFiles, nameFiles } from "./name-files.ts";
import { putsBlock, putsElsewhere } from "./puts-block.ts";
import { refuseKeys } from "./refuse-keys.ts";
import { saysOnlyThat } from "./says-only-that.ts";

/** What the blocks of a message may be meant to change. */
export interface Documents {
  readonly choices: readonly Choice[];
  /** True: the sender orders the first of them, says nothing else, and no other place fits. */
  readonly isSure: boolean;
  /** Why nothing can come of blocks that the sender orders to apply. */
  readonly refused?: () => Promise<RejectPlan | undefined>;
}

const NONE: Documents = { choices: [], isSure: false };
const BLOCKS = 6;
/** Files that a block is tried on. */
const FILES = 200;
/** By how much another place has to fit less. */
const MARGIN = 0.45;
/**
 * Finds what blocks that the sender has ordered to apply, or puts forward, may change: a fragment of YAML or JSON where its keys
 * fit best, a JSON Patch and a diff in the files that have what they change.
 */
export async function guessDocuments(
  message: Message,
  clause: Clause,
  places: Places,
  ground: Ground,
): Promise<Documents> {
  const blocks = findBlocks(message, places);
  if (blocks.length === 0 || blocks.length > BLOCKS) return NONE;
  const found: (readonly Candidate[])[] = [];
  for (const block of blocks) found.push(await listCandidates(block, { message, clause, places, ground }));
  const isOrdered = blocks.every(({ isApplied }) => isApplied);
  const refused = isOrdered
    ? () => refuseKeys(blocks, message, createBench(ground), listManifests(ground))
    : () => Promise.resolve(undefined);
  if (found.some(({ length }) => length === 0)) return { ...NONE, refused };
  const [only = [], ...others] = found;
  const isSure =
    isOrdered &&
    found.every(isClear) &&
    !ownSentences(message).some((one) => putsElsewhere(one, places)) &&
    saysOnlyThat(message, (one) => putsBlock(one, places) || isInside(one, blocks));
  const choices =
    others.length === 0
      ? only.map(({ deed, score }) => ({ deeds: [deed], score, names: [] }))
      : [{ deeds: found.flatMap(([first]) => first?.deed ?? []), score: 1, names: [] }];
  return { choices, isSure, refused };
}

function listManifests({ files }: Ground): readonly string[] {
  return files.filter((path) => /^manifests\/.*\.ya?ml$/.test(path)).slice(0, FILES);
}

/** Tells whether a sentence is a part of a block that has no fence. */
function isInside({ start, end }: Sentence, blocks: readonly Data[]): boolean {
  return blocks.some((block) => start >= block.start && end <= block.end);
}

interface Around {
  readonly message: Message;
  readonly clause: Clause;
  readonly places: Places;
  readonly ground: Ground;
}

function isClear([first, second]: readonly Candidate[]): boolean {
  return first?.isExact === true && first.isSafe && (second === undefined || second.score <= first.score - MARGIN);
}

async function listCandidates(block: Data, around: Around): Promise<readonly Candidate[]> {
  const files = nameFiles(block, around.message, around.clause, around.places);
  const bench = createBench(around.ground);
  const all = listManifests(around.ground);
  const found = await findCandidates(block, bench, all, files);
  const kept = found.toSorted((one, other) => other.score - one.score);
  const isAlone = (one: Candidate) => !kept.some((other) => other !== one && other.score > one.score - 1);
  // A part that the named policy does not have may be meant where another has it.
  const isHeld = kept.some(({ isOther, held }) => isOther && held === "something");
  const isMisplaced = ({ held }: Candidate) => held === "nothing" && isHeld;
  return kept.slice(0, 8).map((one) => ({
    ...one,
    isExact: (one.isExact && !isMisplaced(one)) || (isAlone(one) && !one.isOther && !isMisplaced(one)),
  }));
}

async function findCandidates(
  block: Data,
  bench: Bench,
  all: readonly string[],
  files: NamedFiles,
): Promise<readonly Candidate[]> {
  const { language, text } = block;
  if (["diff", "patch"].includes(language) || (language === "" && /^[+-]/m.test(text) && !/^- /m.test(text)))
    return listDiffs(text, bench, all, files);
  if (!["", "yaml", "yml", "json", "json5", "jsonc"].includes(language)) return [];
  const data = readData(text);
  if (isJsonPatch(data)) return listPatches(data, bench, all, files);
  if (!isObject(data)) return [];
  return listFragments(data as Readonly<Record<string, Json>>, bench, all, files);
}

async function listPatches(
  patch: Parameters<typeof applyJsonPatch>[2],
  bench: Bench,
  all: readonly string[],
  files: NamedFiles,
): Promise<readonly Candidate[]> {
  const isSafe = !patch.some(({ path }) =>
    String(path)
      .split("/")
      .some((step) => GUARDED.has(step)),
  );
  return tryFiles(bench, all, files, isSafe, (file) => (on) => applyJsonPatch(on, file, patch));
}

async function listDiffs(
  text: string,
  bench: Bench,
  all: readonly string[],
  files: NamedFiles,
): Promise<readonly Candidate[]> {
  if (isNameless(text)) return tryFiles(bench, all, files, true, (file) => (on) => applyDiff(on, text, { file }));
  const deed: Deed = (on) => applyDiff(on, text, { isMiscounted: true });
  return [{ deed, score: NAMED, isExact: false, isSafe: false, isOther: false }];
}

/** Candidates for files in which something can be done. */
async function tryFiles(
  { ground }: Bench,
  all: readonly string[],
  files: NamedFiles,
  isSafe: boolean,
  toDeed: (file: string) => Deed,
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const file of all) {
    const deed = toDeed(file);
    try {
      await deed(createBench(ground));
    } catch (error) {
      if (error instanceof CairnError) continue;
      throw error;
    }
    const weight = files.weightOf(file);
    const isOpen = isSafe && !file.startsWith("manifests/policies/");
    candidates.push({
      deed,
      score: weight + 1,
      isExact: weight >= NAMED,
      isSafe: isOpen,
      isOther: false,
    });
  }
  return candidates;
}
