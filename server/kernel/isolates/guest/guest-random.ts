/**
 * Numbers in [0, 1) with 53 random bits, the same for the same `seed` of 32 hexadecimal digits.
 *
 * xoshiro128** 1.1 by David Blackman and Sebastiano Vigna (2018, public domain, https://prng.di.unimi.it), two outputs a
 * number. Its state must not be zero, so that one seed is replaced by 1. Not for secrets: the seed is in the call's record.
 */
export function createRandom(seed: string): () => number {
  let a = readWord(seed, 0);
  let b = readWord(seed, 8);
  let c = readWord(seed, 16);
  let d = readWord(seed, 24);
  if ((a | b | c | d) === 0) a = 1;

  const next = (): number => {
    const output = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return output;
  };
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}

function readWord(seed: string, at: number): number {
  return Number.parseInt(seed.slice(at, at + 8), 16) | 0;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
