const BLOCK = 64;

/** SHA-256 (FIPS 180-4) of a text's UTF-8, in hexadecimal; isolates have no such function of their own. */
export function sha256(text: string): string {
  const hash = rootFractions(8, 2);
  const constants = rootFractions(64, 3);
  const message = pad(toUtf8(text));
  for (let start = 0; start < message.byteLength; start += BLOCK) compress(hash, constants, message, start);
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The first 32 bits behind the point of the square or cube roots of the first primes. */
function rootFractions(count: number, degree: 2 | 3): Uint32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return Uint32Array.from(primes, (prime) => ((degree === 2 ? Math.sqrt(prime) : Math.cbrt(prime)) % 1) * 2 ** 32);
}

/** The bytes, a 1, zeros, and the number of bits, in whole blocks. */
function pad(bytes: readonly number[]): DataView {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK));
  bytes.forEach((byte, at) => view.setUint8(at, byte));
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n);
  return view;
}

/** FIPS 180-4, section 6.2.2. */
function compress(hash: Uint32Array, constants: Uint32Array, message: DataView, start: number): void {
  const words = new Uint32Array(64);
  const word = (at: number) => words[at] ?? 0;
  for (let at = 0; at < 64; at += 1) {
    const [near, far] = [word(at - 2), word(at - 15)];
    const small0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
    const small1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    words[at] = at < 16 ? message.getUint32(start + at * 4) : small1 + word(at - 7) + small0 + word(at - 16);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let at = 0; at < 64; at += 1) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (constants[at] ?? 0) + word(at)) >>> 0;
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => (hash[at] = (hash[at] ?? 0) + value));
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function toUtf8(text: string): readonly number[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  return Array.from(encoded.matchAll(/%(..)|[^%]/g), ([sign, hex]) =>
    hex === undefined ? sign.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}
