import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import type { RandomBytes } from "../../identifiers.ts";
import type { Store } from "../../store/store.ts";
import { loadAuditedTenants } from "./audited-tenants.ts";
import { loadTree } from "./checkpoints.ts";
import { loadSigner, type Signer } from "./signing-key.ts";
import { toLogKey } from "./verify/checkpoint.ts";
import { findSigner, readVkey, toKeyId, toVkey } from "./verify/note.ts";

/** Place of a service's signing key: the file that the configuration names, or one in the data folder. */
export type KeyPlace = Pick<Config, "auditKey" | "data">;

/**
 * Names of the keys in a data folder. The last start wrote the public one. Backups have it also where the secret key lies elsewhere, so
 * that a wrong or missing key is found before a service starts. The checkpoints in the store decide.
 */
export const KEY_FILES = { secret: "audit.key", public: "audit.vkey" } as const;

/** Finds the file of a service's signing key. */
export function toKeyPath({ auditKey, data }: KeyPlace): string {
  return auditKey ?? join(data, KEY_FILES.secret);
}

/**
 * Loads the service's signing key. Without one, `undefined` where the data folder never had a key: the first start makes it.
 * @throws BAD_REQUEST for a key that cannot be read, and for another one than the data folder's logs are signed with
 */
export async function findServiceSigner(place: KeyPlace): Promise<Signer | undefined> {
  const path = toKeyPath(place);
  const known = readVkey(await readFile(join(place.data, KEY_FILES.public), "utf8").catch(() => ""));
  if (place.auditKey === undefined && !existsSync(path)) {
    if (known !== undefined) throw createMissing(path, known.name);
    return undefined;
  }
  const signer = await loadSigner(path);
  if (known !== undefined && toVkey(known) !== toVkey(signer.key)) throw createForeign(path, signer, known.name);
  return signer;
}

/** Loads the service's signing key for commands, which make none. @throws BAD_REQUEST as `findServiceSigner`, or without a key */
export async function loadServiceSigner(place: KeyPlace): Promise<Signer> {
  return (await findServiceSigner(place)) ?? loadSigner(toKeyPath(place));
}

/**
 * Opens the signing key at the start of a service. Makes one only in a data folder whose logs no key has signed yet: a new key beside
 * old logs would make each of them look broken. @throws BAD_REQUEST for a key that is missing, or is not that of the logs
 */
export async function openServiceSigner(place: KeyPlace, store: Store, create: RandomBytes): Promise<Signer> {
  const path = toKeyPath(place);
  const tenants = await loadAuditedTenants(store);
  const signed = await findSignature(store, tenants, () => true);
  if (place.auditKey === undefined && signed !== undefined && !existsSync(path))
    throw createMissing(path, signed.service);
  const signer = place.auditKey === undefined ? await loadSigner(path, create) : await loadSigner(path);
  const isOurs = ({ tenant, name, id }: LogSignature) => {
    const key = toLogKey(signer.key, tenant);
    return name === key.name && id === toKeyId(key).toString("hex");
  };
  if (signed !== undefined && (await findSignature(store, tenants, isOurs)) === undefined)
    throw createForeign(path, signer, signed.service);
  await publish(join(place.data, KEY_FILES.public), `${toVkey(signer.key)}\n`);
  return signer;
}

/**
 * Pins the public key in a store that several nodes use: the first of them does, before any log is signed. @throws BAD_REQUEST for
 * another key
 */
export async function pinServiceKey({ auditKey = "" }: KeyPlace, store: Store, signer: Signer): Promise<void> {
  const value = toVkey(signer.key);
  if ((await store.commit({ check: [{ key: PIN, rev: 0 }], set: [{ key: PIN, value }] })).ok) return;
  const pinned = (await store.get(PIN))?.value;
  if (pinned === value) return;
  const name = readVkey(String(pinned))?.name ?? "another";
  throw new CairnError(
    "BAD_REQUEST",
    `\`${auditKey}\` has the key \`${signer.key.name}\`, and the nodes of this store sign with \`${name}\`. Copy the file of that key here, and let CAIRN_AUDIT_KEY name it.`,
  );
}

/** Key of the public key that all nodes of a store sign with. */
const PIN = ["audit-key"];

/** Writes the public key where it is another one. A service must start on a full disk, and writes it at its next start. */
async function publish(path: string, text: string): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => "")) === text) return;
  try {
    await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}

/** Name and hexadecimal id of the key that signed a tenant's newest checkpoint, and the name of the service's key in it. */
interface LogSignature {
  readonly tenant: string;
  readonly name: string;
  readonly id: string;
  readonly service: string;
}

/** Finds the first log whose newest checkpoint is signed as wanted; logs without one, and damaged ones, are passed over. */
async function findSignature(
  store: Store,
  tenants: readonly string[],
  isWanted: (signature: LogSignature) => boolean,
): Promise<LogSignature | undefined> {
  for (const tenant of tenants) {
    const signer = await loadTree(store, tenant).then(
      ({ checkpoint }) => findSigner(checkpoint),
      // The audit itself names a damaged log.
      () => undefined,
    );
    const found = signer && { tenant, ...signer, service: signer.name.replace(/\/[^/]*$/, "") };
    if (found !== undefined && isWanted(found)) return found;
  }
  return undefined;
}

const RESTORE = "Restore its file, or let CAIRN_AUDIT_KEY name it";

function createMissing(path: string, name: string): CairnError {
  return new CairnError(
    "BAD_REQUEST",
    `The audit of this data folder is signed with the key \`${name}\`, which is not at \`${path}\`. ${RESTORE}; a new key would make every log look broken.`,
  );
}

function createForeign(path: string, signer: Signer, name: string): CairnError {
  return new CairnError(
    "BAD_REQUEST",
    `\`${path}\` has the key \`${signer.key.name}\`, and the audit of this data folder is signed with \`${name}\`. ${RESTORE}.`,
  );
}
