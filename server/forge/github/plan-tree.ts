import { isUtf8 } from "node:buffer";
import { CairnError } from "../../errors.ts";
import { quote } from "../../capabilities/workspace/check-path.ts";
import type { Proposal } from "../forge.ts";

export interface PlannedFile {
  readonly path: string;
  readonly mode: "100644" | "100755";
  /** Text goes with the tree; bytes that are none need a request of their own. */
  readonly content: string | Uint8Array;
}

export interface TreePlan {
  readonly deleted: readonly string[];
  readonly written: readonly PlannedFile[];
  /** A file takes a deleted folder's place, or the other way round: one step cannot say both. */
  readonly swaps: boolean;
}

/** Plans what a proposal does to the files of its commit, whose `modes` are given by path. Rejects with BAD_REQUEST what it cannot. */
export function planTree(files: Proposal["files"], modes: ReadonlyMap<string, string>): TreePlan {
  const folders = new Set([...modes.keys()].flatMap((path) => parentsOf(path)));
  const deleted = [...files].filter(([, content]) => content === null).map(([path]) => path);
  for (const path of deleted) if (!modes.has(path)) throw refuse(path, "is to be deleted, but there is no such file");
  const gone = new Set(deleted);
  const written: PlannedFile[] = [];
  let swaps = false;
  for (const [path, content] of files) {
    if (content === null) continue;
    const blocking = parentsOf(path).filter((parent) => modes.has(parent));
    if (blocking.some((parent) => !gone.has(parent))) throw refuse(path, "lies in something that is a file");
    const isFolder = folders.has(path);
    if (isFolder && [...modes.keys()].some((other) => other.startsWith(`${path}/`) && !gone.has(other))) {
      throw refuse(path, "is a folder that is not empty");
    }
    const there = modes.get(path);
    if (there !== undefined && !there.startsWith("100")) throw refuse(path, "is a symlink or a submodule");
    swaps ||= isFolder || blocking.length > 0;
    const mode = there === "100755" ? "100755" : "100644";
    written.push({ path, mode, content: toContent(content) });
  }
  return { deleted, written, swaps };
}

function toContent(content: string | Uint8Array): string | Uint8Array {
  if (typeof content === "string") return content.includes("\0") ? Buffer.from(content) : content;
  return isUtf8(content) && !content.includes(0) ? Buffer.from(content).toString("utf8") : content;
}

function parentsOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
}

function refuse(path: string, why: string): CairnError {
  return new CairnError("BAD_REQUEST", `The proposal is refused: ${quote(path)} ${why}.`);
}
