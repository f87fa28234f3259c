import { current } from "../guest-current.ts";
import { define, takeHost, toBytes } from "../guest-host.ts";

const digest = takeHost("digest");
const sign = takeHost("sign");

/** Hashes by their names in WebCrypto. */
const HASHES = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];
/** Bytes that `getRandomValues` fills at once, by the specification. */
const MAX_RANDOM = 65_536;
const INTEGERS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
];

interface HmacKey {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

const keys = new WeakMap<object, HmacKey>();

/** Key of HMAC, whose bytes do not show. */
class CryptoKey {
  readonly type = "secret";
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];

  constructor({ hash, bytes }: HmacKey, extractable: boolean, usages: readonly string[]) {
    this.extractable = extractable;
    this.algorithm = Object.freeze({
      name: "HMAC",
      hash: Object.freeze({ name: hash }),
      length: bytes.length * 8,
    });
    this.usages = Object.freeze([...usages]);
    keys.set(this, { hash, bytes });
    Object.freeze(this);
  }
}

const subtle = Object.freeze({
  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    return digest(toHash(algorithm), toBytes(data, "`digest`"));
  },

  async importKey(format: unknown, data: unknown, algorithm: unknown, extractable: unknown, usages: unknown) {
    if (format !== "raw" || nameOf(algorithm) !== "HMAC") throw unsupported("`importKey` takes raw keys of HMAC.");
    const bytes = toBytes(data, "`importKey`");
    if (bytes.length === 0) throw new TypeError("A key of HMAC has at least one byte.");
    const hash = toHash(Object(algorithm).hash);
    return new CryptoKey({ hash, bytes }, Boolean(extractable), Array.isArray(usages) ? usages.map(String) : []);
  },

  async sign(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    return signWith(algorithm, key, "sign", data);
  },

  async verify(algorithm: unknown, key: unknown, signature: unknown, data: unknown): Promise<boolean> {
    const wanted = new Uint8Array(signWith(algorithm, key, "verify", data));
    const given = toBytes(signature, "`verify`");
    if (given.length !== wanted.length) return false;
    // Compares all bytes: the time that it takes must not say how many are right.
    let difference = 0;
    for (let at = 0; at < wanted.length; at += 1) difference |= (wanted[at] ?? 0) ^ (given[at] ?? 0);
    return difference === 0;
  },
});

/** WebCrypto, as far as digests and HMAC. Its random values are those of `ctx.random()`: the call's record repeats them. */
define(
  "crypto",
  Object.freeze({
    subtle,
    getRandomValues<View extends ArrayBufferView>(view: View): View {
      if (!INTEGERS.some((kind) => view instanceof kind)) throw new TypeError("Give an array of integers to fill.");
      if (view.byteLength > MAX_RANDOM) throw new RangeError(`At most ${MAX_RANDOM} bytes are filled at once.`);
      fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), "getRandomValues");
      return view;
    },
    randomUUID(): string {
      const bytes = fill(new Uint8Array(16), "randomUUID");
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      let hex = "";
      for (let at = 0; at < 16; at += 1) hex += (bytes[at] ?? 0).toString(16).padStart(2, "0");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  }),
);

function fill(bytes: Uint8Array, what: string): Uint8Array {
  const ctx = current.find();
  if (ctx === undefined) throw new TypeError(`\`crypto.${what}\` exists only during a call.`);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(ctx.random() * 256);
  return bytes;
}

function signWith(algorithm: unknown, key: unknown, usage: string, data: unknown): ArrayBuffer {
  const known = typeof key === "object" && key !== null ? keys.get(key) : undefined;
  if (nameOf(algorithm) !== "HMAC" || known === undefined) throw unsupported(`\`${usage}\` takes keys of HMAC.`);
  if (!(key as CryptoKey).usages.includes(usage)) throw new TypeError(`The key was not imported to \`${usage}\`.`);
  return sign(known.hash, known.bytes, toBytes(data, `\`${usage}\``));
}

function toHash(algorithm: unknown): string {
  const name = nameOf(algorithm);
  if (!HASHES.includes(name)) throw unsupported(`Hashes are ${HASHES.join(", ")}.`);
  return name;
}

function nameOf(algorithm: unknown): string {
  return String(typeof algorithm === "object" ? Object(algorithm).name : algorithm).toUpperCase();
}

function unsupported(message: string): Error {
  const error = new Error(message);
  Object.defineProperty(error, "name", { value: "NotSupportedError", writable: true, configurable: true });
  return error;
}
