import { createFileReader, isCode } from "../../../versions/manifests/file-reader.ts";
import { toKind } from "../../../versions/manifests/to-kind.ts";
import { isPartOfVersion } from "../../../versions/tree.ts";
import type { Ground } from "../planner.ts";
import { refuse } from "../../guard/refuse.ts";

/** Characters of schemas that are kept compiled. */
const SCHEMA_TEXT = 1024 * 1024;
const SHOWN = 3;
/** Begins the refusal of what would leave a file that is not valid. */
export const INVALID = "The result would be no valid file.";

/** Refuses files that could not be part of a version: each is read by itself, as the service would read it. */
export function createManifestCheck(): (files: ReadonlyMap<string, string | null>, ground: Ground) => Promise<void> {
  const reader = createFileReader(SCHEMA_TEXT);
  return async (files, ground) => {
    const paths = new Set(ground.files);
    for (const [path, text] of files) if (text !== null) paths.add(path);
    for (const [path, text] of files) {
      const kind = isPartOfVersion(path) ? toKind(path, paths) : undefined;
      if (text === null || kind === undefined || kind.kind === "other") continue;
      if (kind.kind === "unknown") throw refuse(`There can be no file \`${path}\`: ${kind.reason}`, kind.fix);
      // Code is read where the change is verified.
      if (isCode(kind)) continue;
      const { problems } = await reader.read(path, kind, Buffer.from(text));
      const [first] = problems;
      if (first === undefined) continue;
      const told = problems.slice(0, SHOWN).map(({ line, message }) => `${path}:${line}: ${message}`);
      throw refuse(`${INVALID} ${told.join(" ")}`, first.fix);
    }
  };
}
