/** Direction of a text in a model's space, in whole numbers from -127 to 127: a quarter of the room of floats, and close enough to rank by. */
export type Vector = Int8Array;

const STEPS = 127;

/** Converts numbers to their direction. */
export function toVector(numbers: readonly number[]): Vector {
  const length = Math.hypot(...numbers) || 1;
  const largest = Math.max(...numbers.map((one) => Math.abs(one / length))) || 1;
  return Int8Array.from(numbers, (one) => Math.round((one / length / largest) * STEPS));
}

/** The cosine of the angle between two vectors: 1 for the same direction; 0 where they cannot be compared. */
export function similarity(one: Vector, other: Vector): number {
  if (one.length !== other.length) return 0;
  let [product, ones, others] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [a = 0, b = 0] = [one[at], other[at]];
    product += a * b;
    ones += a * a;
    others += b * b;
  }
  return product / (Math.sqrt(ones * others) || 1);
}

export function writeVector(vector: Vector): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

export function readVector(text: string): Vector {
  const bytes = Buffer.from(text, "base64");
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
