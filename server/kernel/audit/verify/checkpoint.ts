import { toFolderName } from "./folder-name.ts";
import { HASH_BYTES } from "./merkle.ts";
import { openNote, readBase64, type VerifierKey } from "./note.ts";

/** Checkpoint by the keeper of a log (https://c2sp.org/tlog-checkpoint): its first `size` entries, by their root. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** The text that is signed. */
export function toCheckpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`;
}

/** The checkpoint in a note that `key` has signed, for the log that the key is named after. */
export function readCheckpoint(note: string, key: VerifierKey): Checkpoint | undefined {
  const text = openNote(note, key);
  const [, origin = "", size = "", encoded = ""] = /^(.+)\n(0|[1-9]\d{0,15})\n(.+)\n$/.exec(text ?? "") ?? [];
  const root = readBase64(encoded);
  if (origin !== key.name || root?.length !== HASH_BYTES || !Number.isSafeInteger(Number(size))) return undefined;
  return { origin, size: Number(size), root };
}

/** The key of one tenant's log: the service's own under the log's name, which is its origin. */
export function toLogKey({ name, publicKey }: VerifierKey, tenant: string): VerifierKey {
  return { name: `${name}/${toFolderName(tenant)}`, publicKey };
}
