import { basename, join } from "node:path";
import { loadText } from "../../imports/load-text.ts";
import { saveText } from "../../imports/save-text.ts";
import { isSameTypes } from "../../imports/types/is-same-types.ts";
import { toTypesPath, writeTypes } from "../../imports/types/to-types.ts";
import type { Version } from "../../versions/version.ts";

/** Options of a refresh. `isCheck` only looks; `hasFiles` takes servers alone whose types have been written before. */
export interface RefreshOptions {
  readonly isCheck?: boolean;
  readonly hasFiles?: boolean;
}

/** Writes the types of some servers' tools beside their handlers, where they differ from what is there. Returns the paths of those. */
export async function refreshTypes(
  folder: string,
  { tools }: Pick<Version, "tools">,
  servers: Iterable<string>,
  { isCheck = false, hasFiles = false }: RefreshOptions = {},
): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const server of servers) {
    const own = [...tools.values()].filter((tool) => tool.server === server);
    if (own.length === 0) continue;
    const path = toTypesPath(server);
    const text = writeTypes(
      own.map(({ handler, input, output }) => ({ stem: basename(handler, ".ts"), input, output })),
    );
    const present = await loadText(join(folder, path));
    if (present === undefined ? hasFiles : isSameTypes(present, text)) continue;
    stale.push(path);
    if (isCheck) continue;
    await saveText(join(folder, path), text);
  }
  return stale;
}
