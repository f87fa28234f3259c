import { createCipheriv, createDecipheriv, hash } from "node:crypto";
import { loadReferencedSecret, type SecretReference } from "../../config/secret-reference.ts";
import { CairnError } from "../../errors.ts";
import type { RandomBytes } from "../../identifiers.ts";
import type { Audit } from "../../kernel/audit/audit.ts";
import { createRecordReader } from "../../json/stored.ts";
import type { Key, Store } from "../../store/store.ts";
import type { Owner } from "./secrets.ts";

/** Secrets of one caller. */
const COUNT_LIMIT = 100;
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The secrets that callers set for themselves, encrypted at rest. */
export interface CallerSecrets {
  /** The value; `undefined` where the caller has set none. UNAVAILABLE where it cannot be decrypted. */
  find(owner: Owner, name: string): Promise<string | undefined>;
  /** The caller's secrets in order of their names, without values. */
  list(owner: Owner): Promise<readonly SetSecret[]>;
  /** Sets a secret, or replaces it. Rejects with UNAVAILABLE without a key, or CONFLICT beyond the limit. */
  set(owner: Owner, name: string, value: string): Promise<SetSecret>;
  /** Takes a secret away; NOT_FOUND where there is none. */
  remove(owner: Owner, name: string): Promise<void>;
}

/** A secret without its value. */
export interface SetSecret {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly setAt: number;
}

interface SecretRecord extends SetSecret {
  readonly schemaVersion: 1;
  /** Names the key, and says nothing of it. */
  readonly keyId: string;
  /** Base64url, as is `sealed`: ciphertext and tag. */
  readonly nonce: string;
  readonly sealed: string;
}

const readRecord = createRecordReader<SecretRecord>("secret-record");

export interface CallerSecretsOptions {
  readonly store: Store;
  readonly audit: Pick<Audit, "changed">;
  /** Keys, a line each: the first encrypts, all decrypt. Absent: nothing can be set. */
  readonly key?: SecretReference | undefined;
  readonly randomBytes: RandomBytes;
  readonly now: () => number;
}

/**
 * Opens the secrets of callers. Tenant, actor and name are authenticated with each ciphertext, so a record that is moved in
 * the store, to have one caller act with the secret of another, does not decrypt.
 */
export function openCallerSecrets({ store, audit, key, randomBytes, now }: CallerSecretsOptions): CallerSecrets {
  const findEntry = async (owner: Owner, name: string) => (await store.get(callerSecretKey(owner, name)))?.value;
  const list: CallerSecrets["list"] = (owner) =>
    Array.fromAsync(store.scan({ prefix: callerSecretKey(owner) }), ({ value }) => {
      const { name, setAt } = readRecord(value);
      return { name, setAt };
    });

  // First, so that no secret changes without a trace of it.
  const note = (change: "secret.set" | "secret.removed", { tenant, actor }: Owner, target: string) =>
    audit.changed({ change, tenant, actor, target });

  return Object.freeze<CallerSecrets>({
    list,
    async find(owner, name) {
      const value = await findEntry(owner, name);
      if (value === undefined) return undefined;
      const record = readRecord(value);
      const known = (await loadKeys(key)).find((one) => toKeyId(one) === record.keyId);
      if (known === undefined) {
        const lost = `The secret \`${name}\` was encrypted with a key that the service has no more; set it again.`;
        throw new CairnError("UNAVAILABLE", lost);
      }
      return open(record, known, toContext(owner, name));
    },
    async set(owner, name, value) {
      const [first] = await loadKeys(key);
      if (first === undefined) {
        const remedy = "its operator has to set CAIRN_SECRETS_KEY";
        throw new CairnError("UNAVAILABLE", `The service keeps no secrets of its callers: ${remedy}.`);
      }
      const others = (await list(owner)).filter((one) => one.name !== name);
      if (others.length >= COUNT_LIMIT)
        throw new CairnError("CONFLICT", `A caller has at most ${COUNT_LIMIT} secrets.`);
      await note("secret.set", owner, name);
      const setAt = now();
      const record: SecretRecord = { schemaVersion: 1, name, setAt, ...seal(value, first, toContext(owner, name)) };
      await store.commit({ set: [{ key: callerSecretKey(owner, name), value: { ...record } }] });
      return { name, setAt };
    },
    async remove(owner, name) {
      if ((await findEntry(owner, name)) === undefined) {
        throw new CairnError("NOT_FOUND", `You have set no secret \`${name}\`.`);
      }
      await note("secret.removed", owner, name);
      await store.commit({ del: [callerSecretKey(owner, name)] });
    },
  });

  function seal(value: string, secret: Buffer, context: Buffer): Pick<SecretRecord, "keyId" | "nonce" | "sealed"> {
    const nonce = Buffer.from(randomBytes(NONCE_BYTES));
    const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(context);
    const sealed = Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return { keyId: toKeyId(secret), nonce: nonce.toString("base64url"), sealed: sealed.toString("base64url") };
  }
}

/** Key of a secret in the store; without a name, the prefix of all of its owner. */
export function callerSecretKey({ tenant, actor }: Owner, ...name: readonly string[]): Key {
  return ["caller-secret", tenant, actor, ...name];
}

/** Loads the keys of the configuration, none where there is no reference. @throws UNAVAILABLE */
async function loadKeys(reference: SecretReference | undefined): Promise<readonly Buffer[]> {
  if (reference === undefined) return [];
  const text = await loadReferencedSecret("CAIRN_SECRETS_KEY", reference);
  return text.split(/\s+/).map((line) => {
    const bytes = Buffer.from(line, "base64");
    if (bytes.length === KEY_BYTES && /^[\w+/-]{43}=?$/.test(line)) return bytes;
    const remedy = `make one with \`openssl rand -base64 ${KEY_BYTES}\``;
    throw new CairnError("UNAVAILABLE", `CAIRN_SECRETS_KEY names no key of ${KEY_BYTES} bytes in base64; ${remedy}.`);
  });
}

function open({ name, nonce, sealed }: SecretRecord, key: Buffer, context: Buffer): string {
  const bytes = Buffer.from(sealed, "base64url");
  const cipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, "base64url"), { authTagLength: TAG_BYTES });
  try {
    cipher.setAAD(context).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([cipher.update(bytes.subarray(0, -TAG_BYTES)), cipher.final()]).toString("utf8");
  } catch (error) {
    const message = `The secret \`${name}\` is not as it was stored, and so is not used; set it again.`;
    throw new CairnError("UNAVAILABLE", message, { cause: error });
  }
}

function toKeyId(key: Buffer): string {
  return hash("sha256", Buffer.concat([Buffer.from("cairn secret key\n"), key])).slice(0, 16);
}

function toContext({ tenant, actor }: Owner, name: string): Buffer {
  return Buffer.from(JSON.stringify(["cairn caller secret", 1, tenant, actor, name]));
}
