export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

const PAIR = /^\s*([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)\s*$/;

/** Reads `lat,long` in degrees. `undefined`: not two numbers, so it may be a name; `"out-of-range"`: nowhere on Earth. */
export function readCoordinates(text: string): Coordinates | "out-of-range" | undefined {
  const match = PAIR.exec(text);
  if (!match) return undefined;
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : "out-of-range";
}
