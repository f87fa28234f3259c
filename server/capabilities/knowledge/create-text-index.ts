import { setImmediate } from "node:timers/promises";
import MiniSearch from "minisearch";
import { CairnError } from "../../errors.ts";
import { chunkLines, MAX_LINE_CHARACTERS } from "./chunk-lines.ts";
import { findNearest } from "./find-nodes.ts";
import type { Skipped, Texts } from "./load-texts.ts";
import { toTerms } from "./to-terms.ts";

export interface TextIndex {
  /** The texts that are searched, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that are not searched, with the reason. */
  readonly skipped: readonly Skipped[];
  /** Number of chunks. */
  readonly size: number;
  /**
   * The chunks that fit best, best first, and of equal ones by path and line. BAD_REQUEST for a limit that is no
   * number from 1 to `MAX_HITS`, NOT_FOUND for a file or folder `under` which nothing is.
   */
  search(query: string, options: SearchOptions): readonly Hit[];
  /** The chunk that has a line of a file, as a hit without a score; undefined where the file is not searched. */
  chunkAt(path: string, line: number): Chunk | undefined;
  /** All chunks, by path and line. */
  chunks(): readonly Chunk[];
  /** A check whether chunks are under a file or a folder; absent: everywhere. NOT_FOUND as for a search. */
  under(folder: string | undefined): (chunk: Pick<Chunk, "path">) => boolean;
}

export interface SearchOptions {
  readonly limit: number;
  /** A file or a folder; absent: everywhere. */
  readonly under?: string;
}

/** Lines of a file, 1-based and both ends included; at most 4,000 characters. */
export interface Chunk {
  readonly path: string;
  readonly from_line: number;
  readonly to_line: number;
  /** Exactly these lines, without the last line break. */
  readonly text: string;
}

export interface Hit extends Chunk {
  /** Larger fits better; only good to compare hits of the same query. */
  readonly score: number;
  /** Word stems of the query that it has, in the order of the query. */
  readonly terms: readonly string[];
}

const MAX_HITS = 100;
/** Largest number of chunks in one index, about 50 MB of memory. */
const MAX_CHUNKS = 10_000;
/** Chunks that are added at a time, some milliseconds of work, before other work gets its turn. */
const TURN = 16;
/** Later words of a query are not looked for. */
const MAX_QUERY_TERMS = 64;
/** Written by package managers; thousands of lines that say nothing about the project. */
const GENERATED = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|[\w-]+\.lock)$/;

/** The usual values of Okapi BM25; `d` is what BM25+ would add. */
const BM25 = { k: 1.2, b: 0.75, d: 0 };

interface Place {
  readonly id: number;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Offsets in the file's text. */
  readonly start: number;
  readonly end: number;
}

/**
 * Searches texts by their words with BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009): the sum of the scores of a chunk's text and of its path. Equal texts give an equal index, in whichever
 * order they come.
 */
export async function createTextIndex({ texts: given, skipped: before }: Texts): Promise<TextIndex> {
  const texts = new Map<string, string>();
  const skipped = [...before];
  const places: Place[] = [];
  const byFile = new Map<string, readonly Place[]>();
  for (const [path, text] of [...given].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const found = locateChunks(path, text, places.length);
    if (typeof found === "string") skipped.push({ path, reason: found });
    else if (places.length + found.length > MAX_CHUNKS) {
      skipped.push({ path, reason: `comes after the first ${MAX_CHUNKS} chunks` });
    } else {
      texts.set(path, text);
      places.push(...found);
      byFile.set(path, found);
    }
  }
  const index = new MiniSearch<Place>({
    fields: ["path", "text"],
    extractField: (place, field) => {
      if (field === "id") return place.id;
      return field === "path" ? place.path : textOf(place);
    },
    tokenize: toTerms,
    processTerm: (term) => term,
    autoVacuum: false,
  });
  for (let first = 0; first < places.length; first += TURN) {
    index.addAll(places.slice(first, first + TURN));
    await setImmediate();
  }
  return { texts, skipped, size: places.length, search, chunkAt, chunks: () => places.map(toChunk), under };

  function under(wanted: string | undefined): (chunk: Pick<Chunk, "path">) => boolean {
    const folder = wanted === undefined ? "" : findFolder(wanted);
    return ({ path }) => isUnder(path, folder);
  }

  function search(query: string, { limit, under: wanted }: SearchOptions): readonly Hit[] {
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HITS) {
      throw new CairnError("BAD_REQUEST", `\`limit\` is ${limit}; it is a whole number from 1 to ${MAX_HITS}.`);
    }
    const isWanted = under(wanted);
    const terms = [...new Set(toTerms(query))].slice(0, MAX_QUERY_TERMS);
    const found = index.search(terms.join(" "), { tokenize: (text) => text.split(" "), bm25: BM25 }).flatMap((hit) => {
      const place = places[Number(hit.id)];
      if (place === undefined || !isWanted(place)) return [];
      // The library multiplies by the number of terms, which would no longer be BM25.
      return [{ place, score: hit.score / hit.queryTerms.length, terms: new Set(hit.queryTerms) }];
    });
    found.sort((one, other) => other.score - one.score || one.place.id - other.place.id);
    return found.slice(0, limit).map((hit) => {
      const matched = terms.filter((term) => hit.terms.has(term));
      return { ...toChunk(hit.place), score: hit.score, terms: matched };
    });
  }

  function chunkAt(path: string, line: number): Chunk | undefined {
    const place = byFile.get(path)?.find(({ from, to }) => from <= line && line <= to);
    return place && toChunk(place);
  }

  function toChunk(place: Place): Chunk {
    return { path: place.path, from_line: place.from, to_line: place.to, text: textOf(place) };
  }

  function textOf({ path, start, end }: Place): string {
    return texts.get(path)?.slice(start, end) ?? "";
  }

  function findFolder(wanted: string): string {
    const folder = wanted.replace(/^\.\//, "").replace(/\/+$/, "");
    const paths = [...texts.keys()];
    if (folder === "" || folder === "." || paths.some((path) => isUnder(path, folder))) return folder;
    const folders = new Set(paths.flatMap((path) => [path, ...listFolders(path)]));
    const nearest = findNearest(folder, [...folders]);
    const help = nearest === undefined ? "Leave it out to search everywhere." : `Did you mean \`${nearest}\`?`;
    throw new CairnError("NOT_FOUND", `Nothing that can be searched is under \`${wanted.slice(0, 200)}\`. ${help}`);
  }
}

/** Locates the chunks of a file, numbered from `first` on; or gives the reason why it is not searched. */
function locateChunks(path: string, text: string, first: number): readonly Place[] | string {
  if (GENERATED.test(path)) return "is generated";
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  if (lines.some((line) => line.length > MAX_LINE_CHARACTERS)) {
    return `has a line of more than ${MAX_LINE_CHARACTERS} characters`;
  }
  let offset = 0;
  return chunkLines(path, lines).map(({ from, to }, index) => {
    const start = offset;
    for (let line = from; line <= to; line++) offset += (lines[line - 1] ?? "").length + 1;
    return { id: first + index, path, from, to, start, end: offset - 1 };
  });
}

function isUnder(path: string, folder: string): boolean {
  return folder === "" || folder === "." || path === folder || path.startsWith(`${folder}/`);
}

function listFolders(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
