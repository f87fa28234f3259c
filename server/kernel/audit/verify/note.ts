import { createPublicKey, hash, type KeyObject, verify } from "node:crypto";

/** Signed notes with Ed25519, of https://c2sp.org/signed-note. */

export interface VerifierKey {
  readonly name: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
/** Of more signatures than the specification wants taken. */
const MAX_NOTE = 64 * 1024;
/** DER of an Ed25519 public key (RFC 8410 §4), up to the key itself. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** Tells notes' keys apart; no secret and no proof. */
export function toKeyId({ name, publicKey }: VerifierKey): Buffer {
  return hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey]), "buffer").subarray(
    0,
    ID_BYTES,
  );
}

/** `<name>+<hex of the key id>+<base64 of 0x01 and the key>`. */
export function toVkey(key: VerifierKey): string {
  const material = Buffer.concat([Buffer.of(ED25519), key.publicKey]);
  return `${key.name}+${toKeyId(key).toString("hex")}+${material.toString("base64")}`;
}

/** The key that a vkey stands for; nothing when it is none, or a part of it was mistyped. */
export function readVkey(text: string): VerifierKey | undefined {
  const [name = "", id = "", ...rest] = text.trim().split("+");
  // Base64 may hold a plus itself.
  const material = readBase64(rest.join("+"));
  if (name === "" || material?.length !== 1 + KEY_BYTES || material[0] !== ED25519) return undefined;
  const key = { name, publicKey: material.subarray(1) };
  return toKeyId(key).toString("hex") === id ? key : undefined;
}

/** `text` ends with a newline. `sign` makes the 64 bytes of RFC 8032 over what it is given. */
export function toNote(text: string, key: VerifierKey, sign: (bytes: Uint8Array) => Uint8Array): string {
  const signature = Buffer.concat([toKeyId(key), sign(Buffer.from(text))]);
  return `${text}\n\u2014 ${key.name} ${signature.toString("base64")}\n`;
}

/** The text of a note if `key` has signed it; of others' signatures beside it nothing is asked. */
export function openNote(note: string, key: VerifierKey): string | undefined {
  const end = note.lastIndexOf("\n\n");
  // eslint-disable-next-line no-control-regex
  if (note.length > MAX_NOTE || end < 0 || !note.endsWith("\n") || /[\0-\x09\x0b-\x1f]/.test(note)) return undefined;
  const text = note.slice(0, end + 1);
  const ours = note
    .slice(end + 2, -1)
    .split("\n")
    .map((line) => /^\u2014 (\S+) (\S+)$/.exec(line));
  if (ours.includes(null)) return undefined;
  const id = toKeyId(key);
  const signatures = ours.flatMap((match) => {
    const bytes = match?.[1] === key.name ? readBase64(match[2] ?? "") : undefined;
    return bytes?.subarray(0, ID_BYTES).equals(id) ? [bytes.subarray(ID_BYTES)] : [];
  });
  const publicKey = toKeyObject(key);
  const isSigned = signatures.every((signature) => verify(null, Buffer.from(text), publicKey, signature));
  return isSigned && signatures.length > 0 ? text : undefined;
}

/** Finds who claims to have signed a note: the name and the hexadecimal id of the key. Nothing is verified. */
export function findSigner(note: string): { readonly name: string; readonly id: string } | undefined {
  const [, name = "", signature = ""] = /\n\n\u2014 (\S+) (\S+)\n/.exec(note) ?? [];
  const id = readBase64(signature)?.subarray(0, ID_BYTES).toString("hex");
  return name === "" || id === undefined ? undefined : { name, id };
}

/** The bytes of base64 that has no second form: one that another text also stands for could be changed unseen. */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

function toKeyObject({ publicKey }: VerifierKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: "der", type: "spki" });
}
