import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { existsSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { CairnError } from "../../errors.ts";
import type { RandomBytes } from "../../identifiers.ts";
import { readVkey, toKeyId, toNote, toVkey, type VerifierKey } from "./verify/note.ts";
import { toLogKey } from "./verify/checkpoint.ts";

/** Signs checkpoints. The secret never leaves the closure. */
export interface Signer {
  /** The service's public key, named after itself. */
  readonly key: VerifierKey;
  /** A note over `text` by the key of this tenant's log. */
  sign(tenant: string, text: string): string;
}

const SEED_BYTES = 32;
/** DER of an Ed25519 private key (RFC 8410 §7), up to the seed itself. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const FORM = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)\s*$/;

/**
 * Reads the key at `path`, in the form that Go's sumdb/note gives private keys. Where there is none and `create` allows
 * it, makes one that only this account can read: whoever has it can vouch for a log that never was.
 */
export async function loadSigner(path: string, create?: RandomBytes): Promise<Signer> {
  if (create !== undefined && !existsSync(path)) await makeKey(path, create);
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `The audit's signing key cannot be read at \`${path}\`.`, { cause });
  });
  const [, name = "", , encoded = ""] = FORM.exec(text) ?? [];
  const material = Buffer.from(encoded, "base64");
  if (material.length !== 1 + SEED_BYTES || material[0] !== 1) {
    throw new CairnError(
      "BAD_REQUEST",
      `\`${path}\` is no signing key; one line \`PRIVATE+KEY+<name>+<id>+<key>\` for Ed25519 would be right.`,
    );
  }
  return createSigner(name, toPrivateKey(material.subarray(1)));
}

function createSigner(name: string, secret: KeyObject): Signer {
  const key = { name, publicKey: toPublicBytes(secret) };
  if (readVkey(toVkey(key)) === undefined) {
    throw new CairnError("BAD_REQUEST", `The signing key's name \`${name}\` cannot be that of a log.`);
  }
  return Object.freeze<Signer>({
    key,
    sign: (tenant, text) => toNote(text, toLogKey(key, tenant), (bytes) => sign(null, bytes, secret)),
  });
}

function toText(seed: Uint8Array): string {
  const publicKey = toPublicBytes(toPrivateKey(seed));
  // A name of its own, so that logs of two services cannot be taken for each other.
  const name = `cairn/${createHash("sha256").update(publicKey).digest("hex").slice(0, 16)}`;
  const material = Buffer.concat([Buffer.of(1), seed]).toString("base64");
  return `PRIVATE+KEY+${name}+${toKeyId({ name, publicKey }).toString("hex")}+${material}\n`;
}

function toPrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}

function toPublicBytes(secret: KeyObject): Buffer {
  const der = createPublicKey(secret.export({ format: "pem", type: "pkcs8" })).export({ format: "der", type: "spki" });
  return der.subarray(-SEED_BYTES);
}

/** Makes the key under another name first: nobody may read half of it, and a crash must not leave half of it. */
async function makeKey(path: string, create: RandomBytes): Promise<void> {
  const unfinished = `${path}.${Buffer.from(create(8)).toString("hex")}`;
  try {
    await writeFile(unfinished, toText(create(SEED_BYTES)), { mode: 0o600, flag: "wx", flush: true });
    await link(unfinished, path);
  } catch (error) {
    // Another process was first, and its key counts.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}
