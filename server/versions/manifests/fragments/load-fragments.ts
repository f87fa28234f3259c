import type { Problem } from "../../problem.ts";
import { FRAGMENT_FOLDER, type Tree } from "../../tree.ts";
import { readText } from "../read-text.ts";
import { type Fragment, isFragment, readFragment } from "./read-fragment.ts";

/** Change fragments of a tree whose repository uses them. */
export interface Fragments {
  readonly list: readonly Fragment[];
  readonly problems: readonly Problem[];
}

/** File that says what the folder is for, and keeps it between releases: it is no fragment. */
const FRAGMENT_GUIDE = `${FRAGMENT_FOLDER}/README.md`;

const MAX_FRAGMENTS = 1000;
const MAX_BYTES = 64 * 1024;

/**
 * Loads the change fragments of a tree. Undefined where the repository does not use them: `changes` has neither a README.md nor
 * a file that begins as fragments do.
 */
export async function loadFragments(tree: Tree): Promise<Fragments | undefined> {
  const entries = [...(tree.fragments ?? [])].filter(([file]) => file !== FRAGMENT_GUIDE);
  const list: Fragment[] = [];
  const problems: Problem[] = [];
  let isUsed = tree.fragments?.has(FRAGMENT_GUIDE) === true;
  for (const [file, entry] of entries.slice(0, MAX_FRAGMENTS)) {
    const bytes = await tree.read(entry, MAX_BYTES);
    if (bytes === undefined) {
      problems.push(refuse(file, `\`${file}\` has more than ${MAX_BYTES} bytes.`, "Say in a sentence what changes."));
      continue;
    }
    const decoded = readText(file, bytes);
    isUsed ||= decoded.ok && isFragment(decoded.text);
    const read = decoded.ok ? readFragment(file, decoded.text) : { ok: false as const, problems: [decoded.problem] };
    if (read.ok) list.push(read.fragment);
    else problems.push(...read.problems);
  }
  if (entries.length > MAX_FRAGMENTS) {
    const message = `\`${FRAGMENT_FOLDER}\` has ${entries.length} files; ${MAX_FRAGMENTS} are read.`;
    problems.push(refuse(FRAGMENT_FOLDER, message, "Release what is there: `cairn release` gathers it."));
  }
  return isUsed ? { list, problems } : undefined;
}

function refuse(file: string, message: string, fix: string): Problem {
  return { file, line: 1, column: 1, rule: "change-fragment", message, fix };
}
