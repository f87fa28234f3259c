import { open, rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type DumpEnd, toDump } from "../../capabilities/state/data/dump.ts";
import { showPlace } from "../../capabilities/state/data/place.ts";
import { createPlaceSource } from "../../capabilities/state/data/source.ts";
import { CairnError } from "../../errors.ts";
import { toTime } from "../../text/to-time.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { assertKnown } from "./assert-known.ts";
import { loadPlace, STATE_ARGUMENT, STATE_TENANT_OPTION } from "./state-options.ts";

/** Characters that are gathered before they are written. */
const WRITTEN_AT_ONCE = 256 * 1024;
const DISK_FAULTS: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO"]);

/** `cairn state export <server/scope> <file>`: data and lineage as JSON Lines with a digest, whole or not at all. */
export const createStateExport: CreateCommand = (context) =>
  createCommand({
    meta: { name: "state export", description: "Write data and lineage into a file, as JSON Lines with a digest" },
    args: {
      ...STATE_ARGUMENT,
      file: { type: "positional", required: true, valueHint: "file", description: "Is written whole or not at all" },
      overwrite: { type: "boolean", description: "Replace a file that is there already" },
      ...STATE_TENANT_OPTION,
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, folder, out, now } = context;
      const { data } = loadAuditConfig(environment, args.data);
      const place = await loadPlace(context, data, args.tenant, args.state);
      const file = resolve(folder, args.file);
      const progress = createProgress(context);
      await assertFree(file, args.overwrite === true);
      const end = await withStore({ context, command: "state export", data }, async (store) => {
        await assertKnown(context, data, store, place);
        const lines = toDump({ ...place, exportedAt: toTime(now()) }, createPlaceSource(store, place));
        return writeWhole(file, lines, (count) => progress(`${count} lines so far`)).catch((error: unknown) => {
          throw toRefusal(file, error);
        });
      });
      out(
        `${file} has ${end.keys} keys and ${end.lineage} entries of the lineage of \`${showPlace(place)}\`; sha256 ${end.sha256}`,
      );
      return EXIT.OK;
    },
  });

/** Refuses what a file must not take the place of. @throws BAD_REQUEST for a folder and the like, CONFLICT for a file */
async function assertFree(file: string, overwrite: boolean): Promise<void> {
  const there = await stat(file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw toRefusal(file, error);
  });
  if (there !== undefined && !there.isFile()) {
    throw new CairnError("BAD_REQUEST", `\`${file}\` is no file; nothing was written.`);
  }
  if (there !== undefined && !overwrite) {
    throw new CairnError("CONFLICT", `\`${file}\` is there already. \`--overwrite\` replaces it.`);
  }
}

/** BAD_REQUEST for a path that cannot be written, UNAVAILABLE for a disk that takes no more; other errors stay. */
function toRefusal(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const code = String(error.code);
  const name = DISK_FAULTS.has(code) ? "UNAVAILABLE" : "BAD_REQUEST";
  return new CairnError(name, `\`${file}\` cannot be written: ${code}; nothing was written.`, { cause: error });
}

/** Writes into a file beside, which takes the place of `file` once it is whole and on the disk. */
async function writeWhole(
  file: string,
  lines: AsyncGenerator<string, DumpEnd>,
  onLine: (count: number) => void,
): Promise<DumpEnd> {
  const unfinished = `${file}.unfinished`;
  try {
    const handle = await open(unfinished, "w", 0o600);
    try {
      let text = "";
      for (let count = 1; ; count++) {
        const line = await lines.next();
        if (line.done !== true) text += line.value;
        if (line.done === true || text.length >= WRITTEN_AT_ONCE) {
          await handle.writeFile(text);
          text = "";
        }
        onLine(count);
        if (line.done !== true) continue;
        await handle.sync();
        await rename(unfinished, file);
        return line.value;
      }
    } finally {
      await handle.close();
    }
  } finally {
    await rm(unfinished, { force: true });
  }
}
