import { hash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Redactor } from "../../../log/redact.ts";
import type { Store } from "../../../store/store.ts";
import { vectorKey } from "../../../store/vector-keys.ts";
import type { Chunk, TextIndex } from "../create-text-index.ts";
import { BATCH, type Embedder } from "./open-embedder.ts";

/** The chunks of one index by their meaning. */
export interface MeaningIndex {
  /** Lists chunks, the nearest in meaning first. Rejects with what the embedder does. */
  search(query: string, wanted: (chunk: Chunk) => boolean, limit: number): Promise<readonly Chunk[]>;
  /** Chunks whose vectors are known, and all. */
  progress(): { readonly known: number; readonly all: number };
}

export interface MeaningOptions {
  readonly embedder: Embedder;
  readonly store: Pick<Store, "getMany" | "commit">;
  /** Keeps credentials from the endpoint. */
  readonly redactor: Redactor;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds that vectors are kept: those of text that is no longer there go by themselves. */
const KEPT_MS = 30 * 86_400_000;
/** Milliseconds that a search waits for vectors of a commit that nobody has asked about before. */
const PATIENCE_MS = 5_000;

/**
 * Creates indexes by meaning. A vector is kept under its model and the digest of its text, so that text which changes gets
 * another one, and text which stays is never sent again, in whichever commit it is.
 */
export function createMeaningIndex(index: TextIndex, options: MeaningOptions): MeaningIndex {
  const { embedder, redactor, onError } = options;
  const chunks = index.chunks();
  const vectors = new Map<Chunk, Vector>();
  let filling: Promise<void> | undefined;

  async function fill(): Promise<void> {
    for (let first = 0; first < chunks.length; first += BATCH) {
      const batch = chunks.slice(first, first + BATCH).filter((chunk) => !vectors.has(chunk));
      const found = await loadVectors(
        batch.map((chunk) => redactor.text(`${chunk.path}\n${chunk.text}`)),
        options,
      );
      for (const [at, chunk] of batch.entries()) {
        const vector = found[at];
        if (vector !== undefined) vectors.set(chunk, vector);
      }
    }
  }

  /** Begins where a failure has ended it, and reports that failure once. */
  function begin(): Promise<void> {
    filling ??= fill().catch((error: unknown) => {
      filling = undefined;
      onError(error);
    });
    return filling;
  }

  return {
    async search(query, wanted, limit) {
      await Promise.race([begin(), setTimeout(PATIENCE_MS, undefined, { ref: false })]);
      const [asked] = await embedder.embed([redactor.text(query)]);
      if (asked === undefined) return [];
      const direction = toVector(asked);
      return [...vectors]
        .filter(([chunk]) => wanted(chunk))
        .map(([chunk, vector]) => ({ chunk, near: similarity(direction, vector) }))
        .sort((one, other) => other.near - one.near)
        .slice(0, limit)
        .map(({ chunk }) => chunk);
    },
    progress: () => ({ known: vectors.size, all: chunks.length }),
  };
}

/** Loads the vectors of texts from the store, and those that are not there from the model, which are then kept. */
async function loadVectors(
  texts: readonly string[],
  { store, embedder }: Pick<MeaningOptions, "store" | "embedder">,
): Promise<readonly Vector[]> {
  if (texts.length === 0) return [];
  const keys = texts.map((text) => vectorKey(embedder.model, hash("sha256", text)));
  const kept = (await store.getMany(keys)).map((entry) =>
    typeof entry?.value === "string" ? readVector(entry.value) : undefined,
  );
  const missing = texts.flatMap((text, at) => (kept[at] === undefined ? [{ text, at }] : []));
  if (missing.length === 0) return kept.filter((vector) => vector !== undefined);
  const made = (await embedder.embed(missing.map(({ text }) => text))).map(toVector);
  const writes = new Map<string, { key: ReturnType<typeof vectorKey>; value: string; ttl: number }>();
  for (const [nth, { at }] of missing.entries()) {
    const [key, vector] = [keys[at], made[nth]];
    if (key === undefined || vector === undefined) continue;
    kept[at] = vector;
    // Equal texts have one key.
    writes.set(String(key.at(-1)), { key, value: writeVector(vector), ttl: KEPT_MS });
  }
  await store.commit({ set: [...writes.values()] });
  return kept.filter((vector) => vector !== undefined);
}

/** Direction of a text in a model's space, in whole numbers from -127 to 127: a quarter of the room of floats, and close enough to rank by. */
type Vector = Int8Array;

const STEPS = 127;

/** Converts numbers to their direction. */
function toVector(numbers: readonly number[]): Vector {
  const length = Math.hypot(...numbers) || 1;
  const largest = Math.max(...numbers.map((one) => Math.abs(one / length))) || 1;
  return Int8Array.from(numbers, (one) => Math.round((one / length / largest) * STEPS));
}

/** The cosine of the angle between two vectors: 1 for the same direction; 0 where they cannot be compared. */
function similarity(one: Vector, other: Vector): number {
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

function writeVector(vector: Vector): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function readVector(text: string): Vector {
  const bytes = Buffer.from(text, "base64");
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
