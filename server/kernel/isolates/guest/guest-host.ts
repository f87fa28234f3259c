/** Functions of the host that parts of the platform call; what they take and return is copied. */
export interface HostFunctions {
  /** Parses a URL: JSON of its members; undefined for what is none. */
  readonly parseUrl: (url: string, base: string | undefined) => string | undefined;
  /** Sets a member of a URL, and returns the JSON of its members. */
  readonly changeUrl: (url: string, member: string, value: string) => string | undefined;
  /** Reads `a=1&b=2`: JSON of pairs. */
  readonly readForm: (text: string) => string;
  /** Writes JSON of pairs as `a=1&b=2`. */
  readonly writeForm: (pairs: string) => string;
  readonly encode: (text: string) => ArrayBuffer;
  /** Decodes bytes; undefined for an encoding that does not exist, and for bytes that are wrong where `fatal`. */
  readonly decode: (bytes: Uint8Array, encoding: string, fatal: boolean, ignoreBOM: boolean) => string | undefined;
  /** The name of an encoding; undefined for one that does not exist. */
  readonly nameEncoding: (label: string) => string | undefined;
  readonly toBase64: (text: string) => string | undefined;
  readonly fromBase64: (text: string) => string | undefined;
  readonly digest: (hash: string, bytes: Uint8Array) => ArrayBuffer;
  readonly sign: (hash: string, key: Uint8Array, bytes: Uint8Array) => ArrayBuffer;
}

/** Bytes, or characters, that one call of a function may take: the host's thread is everybody's. */
const MAX_LENGTH = 4 * 2 ** 20;

/** Takes a function that the host has put there before any handler's code, and leaves no way to it. */
export function takeHost<Name extends keyof HostFunctions>(name: Name): HostFunctions[Name] {
  const key = `cairn:${name}`;
  const taken = Reflect.get(globalThis, key) as HostFunctions[Name];
  Reflect.deleteProperty(globalThis, key);
  return taken;
}

/** Defines a global as the language defines its own. */
export function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
}

/** @throws RangeError */
export function limitLength(length: number, what: string): void {
  if (length > MAX_LENGTH) throw new RangeError(`${what} takes at most ${MAX_LENGTH} bytes or characters at once.`);
}

/** The bytes of an ArrayBuffer or of a view of one. */
export function toBytes(data: unknown, what: string): Uint8Array {
  if (ArrayBuffer.isView(data)) {
    limitLength(data.byteLength, what);
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  }
  if (!(data instanceof ArrayBuffer)) throw new TypeError(`${what} takes an ArrayBuffer or a view of one.`);
  limitLength(data.byteLength, what);
  return new Uint8Array(data.slice(0));
}
