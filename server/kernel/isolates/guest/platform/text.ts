import { define, limitLength, takeHost, toBytes } from "../guest-host.ts";

const encode = takeHost("encode");
const decode = takeHost("decode");
const nameEncoding = takeHost("nameEncoding");
const toBase64 = takeHost("toBase64");
const fromBase64 = takeHost("fromBase64");

/** Encodes to UTF-8. Source: encoding.spec.whatwg.org. */
class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(text: unknown = ""): Uint8Array {
    const whole = String(text);
    limitLength(whole.length, "`encode`");
    return new Uint8Array(encode(whole));
  }
}

/** Decodes bytes, in the encodings of the host. Source: encoding.spec.whatwg.org. Only UTF-8 may come in parts. */
class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** Bytes of a character whose others are still to come. */
  #rest: Uint8Array = new Uint8Array(0);
  #isBegun = false;

  constructor(label: unknown = "utf-8", options: { readonly fatal?: unknown; readonly ignoreBOM?: unknown } = {}) {
    const name = nameEncoding(String(label).slice(0, 100));
    if (name === undefined) throw new RangeError(`\`${String(label)}\` is no encoding.`);
    this.encoding = name;
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
    Object.freeze(this);
  }

  decode(data: unknown = new Uint8Array(0), { stream = false }: { readonly stream?: boolean } = {}): string {
    if (stream && this.encoding !== "utf-8") throw new TypeError("Only UTF-8 can be decoded in parts.");
    const bytes = join(this.#rest, toBytes(data, "`decode`"));
    const end = stream ? findEnd(bytes) : bytes.length;
    const text = decode(bytes.slice(0, end), this.encoding, this.fatal, this.ignoreBOM || this.#isBegun);
    this.#rest = stream ? bytes.slice(end) : new Uint8Array(0);
    this.#isBegun = stream && (this.#isBegun || end > 0);
    if (text === undefined) throw new TypeError(`The bytes are not ${this.encoding}.`);
    return text;
  }
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** The end of the last whole character: a lead byte within the last three may wait for more. */
function findEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return size > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function toText(value: unknown, what: string): string {
  const text = String(value);
  limitLength(text.length, what);
  return text;
}

define("TextEncoder", TextEncoder);
define("TextDecoder", TextDecoder);
define("btoa", (value: unknown): string => {
  const text = toBase64(toText(value, "`btoa`"));
  if (text === undefined) throw new RangeError("`btoa` takes characters up to U+00FF; encode others with TextEncoder.");
  return text;
});
define("atob", (value: unknown): string => {
  const text = fromBase64(toText(value, "`atob`"));
  if (text === undefined) throw new RangeError("`atob` takes base64, which this is not.");
  return text;
});
