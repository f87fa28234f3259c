import { type Bytes, isSame, readBase64, sha256, toBytes, toHex } from "./bytes.ts";
import type { Head } from "./proofs.ts";

const ED25519 = 1;
const ID_BYTES = 4;
const KEY_BYTES = 32;
const ROOT_BYTES = 32;

/**
 * Opens a checkpoint (https://c2sp.org/tlog-checkpoint): the head of the log `folder` if the key has signed it, undefined
 * otherwise. `vkey` is the key of the service, as `cairn audit key` prints it.
 */
export async function openCheckpoint(note: string, vkey: string, folder: string): Promise<Head | undefined> {
  const key = await readVkey(vkey);
  const [, text = "", origin = "", size = "", encoded = "", name = "", signed = ""] =
    /^((.+)\n(0|[1-9]\d{0,14})\n(.+)\n)\n\u2014 (\S+) (\S+)\n$/.exec(note) ?? [];
  const root = readBase64(encoded);
  const signature = readBase64(signed);
  if (key === undefined || root?.length !== ROOT_BYTES || signature === undefined) return undefined;
  const expected = `${key.name}/${folder}`;
  if (origin !== expected || name !== expected) return undefined;
  if (!isSame(signature.slice(0, ID_BYTES), await toKeyId(expected, key.bytes))) return undefined;
  const publicKey = await crypto.subtle.importKey("raw", key.bytes, "Ed25519", false, ["verify"]);
  const isSigned = await crypto.subtle.verify("Ed25519", publicKey, signature.slice(ID_BYTES), toBytes(text));
  return isSigned ? { size: Number(size), root } : undefined;
}

/** Reads `<name>+<hex of the key id>+<base64 of 0x01 and the key>`. */
async function readVkey(text: string): Promise<{ readonly name: string; readonly bytes: Bytes } | undefined> {
  const [name = "", id = "", ...rest] = text.trim().split("+");
  const material = readBase64(rest.join("+"));
  if (name === "" || material?.length !== 1 + KEY_BYTES || material[0] !== ED25519) return undefined;
  const bytes = material.slice(1);
  return toHex(await toKeyId(name, bytes)) === id ? { name, bytes } : undefined;
}

async function toKeyId(name: string, key: Bytes): Promise<Bytes> {
  return (await sha256(toBytes(`${name}\n`), Uint8Array.of(ED25519), key)).slice(0, ID_BYTES);
}
