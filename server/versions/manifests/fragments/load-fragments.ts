import type { Problem } from "../../problem.ts";
import { showHidden } from "../../../text/find-hidden.ts";
import { FRAGMENT_FOLDER, type Tree, type TreeEntry } from "../../tree.ts";
import { findHiddenSource } from "../find-hidden-text.ts";
import { limitProblems } from "../limit-problems.ts";
import { readText, type TextRead } from "../read-text.ts";
import { type Fragment, type FragmentRead, isFragment, readFragment } from "./read-fragment.ts";

/** Change fragments of a tree whose repository uses them. */
export interface Fragments {
  readonly list: readonly Fragment[];
  readonly problems: readonly Problem[];
}

/** File that says what the folder is for, and keeps it between releases: it is no fragment. */
const FRAGMENT_GUIDE = `${FRAGMENT_FOLDER}/README.md`;

const MAX_FRAGMENTS = 1000;
const MAX_BYTES = 64 * 1024;

/** Names that every system, shell and git setting writes alike. */
const NAME = /^changes\/\w[\w.-]*\.md$/;
const NAME_FIX =
  "Name it by ASCII letters, digits, `_`, `.` and `-`, with a letter, a digit or `_` first and `.md` last, directly in `changes`; or remove it.";

/**
 * Loads the change fragments of a tree. Undefined where the repository does not use them: `changes` has neither a README.md nor
 * a file that begins as fragments do. Where it does, all else in the folder is a problem, so that no sentence is left out unseen.
 */
export async function loadFragments(tree: Tree): Promise<Fragments | undefined> {
  const entries = [...(tree.fragments ?? [])].filter(([file]) => file !== FRAGMENT_GUIDE);
  const list: Fragment[] = [];
  const problems: Problem[] = [];
  const guide = tree.fragments?.get(FRAGMENT_GUIDE);
  if (guide !== undefined) problems.push(...(await checkGuide(tree, guide)));
  let isUsed = guide !== undefined;
  for (const [file, entry] of entries.slice(0, MAX_FRAGMENTS)) {
    const bytes = await tree.read(entry, MAX_BYTES);
    const decoded = bytes && readText(file, bytes);
    isUsed ||= decoded?.ok === true && isFragment(decoded.text);
    const read = NAME.test(file) ? readDecoded(file, decoded) : failed(refuseName(file));
    if (read.ok) list.push(read.fragment);
    else problems.push(...read.problems);
  }
  if (entries.length > MAX_FRAGMENTS) {
    const message = `\`${FRAGMENT_FOLDER}\` has ${entries.length} files; ${MAX_FRAGMENTS} are read.`;
    problems.push(refuse(FRAGMENT_FOLDER, message, "Release what is there: `cairn release` gathers it."));
  }
  const strays = limitProblems(tree.strays ?? [], (name) => refuseName(`${FRAGMENT_FOLDER}/${name}`));
  return isUsed ? { list, problems: [...problems, ...strays] } : undefined;
}

/** A name that hides text would hide it in the list of problems, too: the message alone has it, with escapes. */
function refuseName(path: string): Problem {
  const shown = showHidden(path).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  const message = `\`${shown}\` is not read: a change fragment is a file, and has another name.`;
  return refuse(shown === path ? path : FRAGMENT_FOLDER, message, NAME_FIX);
}

function readDecoded(file: string, decoded: TextRead | undefined): FragmentRead {
  if (decoded === undefined) {
    return failed(refuse(file, `\`${file}\` has more than ${MAX_BYTES} bytes.`, "Say in a sentence what changes."));
  }
  if (!decoded.ok) return failed(decoded.problem);
  // Its sentences become those of versions.yaml, where the release would be refused at a line that no checkout has.
  const hidden = findHiddenSource(file, decoded.text);
  return hidden.length > 0 ? { ok: false, problems: hidden } : readFragment(file, decoded.text);
}

function failed(problem: Problem): FragmentRead {
  return { ok: false, problems: [problem] };
}

/** Refuses a guide that was meant as a change: its sentence would never be released. */
async function checkGuide(tree: Tree, guide: TreeEntry): Promise<readonly Problem[]> {
  const bytes = await tree.read(guide, MAX_BYTES);
  const decoded = bytes && readText(FRAGMENT_GUIDE, bytes);
  if (decoded?.ok !== true || !claimsKind(decoded.text)) return [];
  const message = `\`${FRAGMENT_GUIDE}\` has \`kind\` as a change fragment has, and is none: it says what the folder is for.`;
  return [refuse(FRAGMENT_GUIDE, message, "Move the change to a file of its own; `cairn bump` writes one.")];
}

/** Checks that front matter has the key of fragments; other front matter is for what shows the file. */
function claimsKind(text: string): boolean {
  const [, front = ""] = /^---[ \t]*\r?\n(.*?)^---[ \t]*$/ms.exec(text) ?? [];
  return /^kind[ \t]*:/m.test(front);
}

function refuse(file: string, message: string, fix: string): Problem {
  return { file, line: 1, column: 1, rule: "change-fragment", message, fix };
}
