import { CairnError } from "../../errors.ts";
import type { LocalRepository } from "./local-repository.ts";

export type Merged =
  | { readonly ok: true; readonly tree: string }
  /** In order; what they name may be on one side only. */
  | { readonly ok: false; readonly paths: readonly string[] };

/** Merges two commits without a work tree. */
export async function mergeTrees(repository: LocalRepository, ours: string, theirs: string): Promise<Merged> {
  // A base that people have made anew has no history in common: then everything that differs is a conflict.
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--allow-unrelated-histories", ours, theirs];
  const output = await repository.run(args, { statuses: [0, 1] });
  const [tree = "", ...rest] = output.split("\0");
  if (!/^[0-9a-f]{40,64}$/.test(tree)) throw new CairnError("INTERNAL_ERROR", "`git merge-tree` answered nonsense.");
  // Only of a conflict, git says more than the tree.
  if (rest.join("") === "") return { ok: true, tree };
  const end = rest.indexOf("");
  const named = [...rest.slice(0, end), ...readMessages(rest.slice(end + 1))];
  return { ok: false, paths: [...new Set(named)].sort() };
}

/** The paths of messages about conflicts, some of which leave no file in conflict: count, paths, kind, text, and so on. */
function readMessages(fields: readonly string[]): readonly string[] {
  const named: string[] = [];
  for (let at = 0; at < fields.length;) {
    const count = Number(fields[at]);
    if (!Number.isInteger(count) || count < 1) break;
    const paths = fields.slice(at + 1, at + 1 + count);
    if (fields[at + 1 + count]?.startsWith("CONFLICT") === true) named.push(...paths);
    at += count + 3;
  }
  return named;
}
