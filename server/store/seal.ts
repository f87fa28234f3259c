import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { canonicalJson } from "../json/canonical-json.ts";
import type { Json, Key } from "./store.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a value for whoever brings `secret` again, which is kept nowhere: initialisation vector, ciphertext and tag as
 * base64. `place` is where the result is kept, so that it opens in no other place. The vector is made of the value, as in
 * AES-SIV (RFC 5297): the same key never encrypts two values under one vector.
 */
export function seal(value: Json, secret: string, place: Key): string {
  const text = canonicalJson(value);
  const key = toKey(secret, place);
  const iv = createHmac("sha256", key).update(text).digest().subarray(0, IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
}

/** Decrypts what `seal` made; throws when secret, place or text is another. */
export function unseal(sealed: string, secret: string, place: Key): Json {
  const bytes = Buffer.from(sealed, "base64");
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, toKey(secret, place), iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  return JSON.parse(text) as Json;
}

function toKey(secret: string, place: Key): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `cairn answer ${JSON.stringify(place)}`, KEY_BYTES));
}
