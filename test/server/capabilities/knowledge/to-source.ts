import type { Tree } from "../../../../server/versions/tree.ts";
import type { FileSource } from "../../../../server/capabilities/knowledge/load-texts.ts";

/** The files of a version: what a tag freezes, and nothing else of the repository. */
export function toSource(tree: Tree): FileSource {
  const files = [...tree.entries].filter(([, { kind }]) => kind === "file");
  const entries = new Map(files);
  return {
    paths: [...entries.keys()],
    read: async (path, maxBytes) => {
      const entry = entries.get(path);
      return entry && tree.read(entry, maxBytes);
    },
  };
}
