import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../errors.ts";
import { createRecordReader } from "../json/stored.ts";
import { UNFINISHED } from "../versions/git/create-in-place.ts";

/** Contents of a backup; `schemas/backup.schema.json` describes each member. */
export interface Manifest {
  readonly schemaVersion: 1;
  readonly cairn: string;
  readonly begunAt: string;
  readonly endedAt: string;
  readonly findings: readonly string[];
  readonly leftOut: readonly string[];
  readonly entries: readonly ManifestEntry[];
}

export type ManifestEntry = FolderEntry | FileEntry | LinkEntry;

interface FolderEntry {
  readonly kind: "folder";
  readonly path: string;
}

export interface FileEntry {
  readonly kind: "file";
  readonly path: string;
  readonly mode: number;
  readonly bytes: number;
  readonly sha256: string;
}

interface LinkEntry {
  readonly kind: "link";
  readonly path: string;
  readonly target: string;
}

/** The part of a backup that becomes a data folder. */
export const DATA_PART = "data";

const FILE = "manifest.json";

export async function saveManifest(backup: string, manifest: Manifest): Promise<void> {
  const file = await open(join(backup, FILE), "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Rejects with BAD_REQUEST for a folder that is no backup, or one that was cut short. */
export async function loadManifest(backup: string): Promise<Manifest> {
  if (UNFINISHED.test(backup)) {
    throw new CairnError(
      "BAD_REQUEST",
      `\`${backup}\` is no backup, or one that was cut short: it has the name of an unfinished one.`,
    );
  }
  const path = join(backup, FILE);
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    const message = `\`${backup}\` is no backup, or one that was cut short: it has no \`${FILE}\`.`;
    throw new CairnError("BAD_REQUEST", message, { cause });
  });
  try {
    const manifest = readManifest(JSON.parse(text));
    assertApart(manifest);
    return manifest;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CairnError("BAD_REQUEST", `\`${path}\` cannot be understood: ${reason}`, { cause });
  }
}

const readManifest = createRecordReader<Manifest>("backup");

/** A file below a link would be written wherever the link leads. */
function assertApart({ entries }: Manifest): void {
  const folders = new Set(entries.flatMap(({ kind, path }) => (kind === "folder" ? [path] : [])));
  const seen = new Set<string>();
  for (const { path } of entries) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (seen.has(path) || (parent !== "" && !folders.has(parent))) {
      throw new CairnError("BAD_REQUEST", `\`${path}\` stands twice, or below what is no folder.`);
    }
    seen.add(path);
  }
}
