import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import type { Nodes } from "../../instance/nodes.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../json/types.ts";
import { EXPORT_NAME, type ExportArea, toExportFolder } from "./export-lineage.ts";

/** Bytes that one read gives: a file of any length is read in pieces. */
export const PIECE_BYTES = 1024 * 1024;
/** Milliseconds for another node to answer. */
const ANSWER_MS = 5_000;
const NOT_KNOWN = 404;

/** The place in an exported file that a read begins at, in bytes. */
export interface ExportPlace extends ExportArea {
  readonly name: string;
  readonly offset: number;
}

/** Reads the next PIECE_BYTES of an exported file, which are ASCII; `undefined` when there is no such file. */
export type ReadExport = (place: ExportPlace) => Promise<string | undefined>;

/** Piece of a file, and bytes of the whole. */
interface Piece {
  readonly text: string;
  readonly size: number;
}

/**
 * Creates what reads exported files below the folder `exports`, and those of other nodes. An export of a lineage begins with all
 * earlier ones, so that the longest file of a name is the newest, whatever the clocks of the nodes say. @throws UNAVAILABLE where a
 * node does not answer, which may have a newer one
 */
export function createReadExport(exports: string, nodes?: Pick<Nodes, "self" | "list" | "request">): ReadExport {
  return async (place) => {
    const found = await Promise.all([readPiece(exports, place), ...(nodes ? await askOthers(nodes, place) : [])]);
    return found.reduce((one, other) => ((other?.size ?? -1) > (one?.size ?? -1) ? other : one))?.text;
  };
}

/** Creates what answers other nodes that read exported files. */
export function createExportAnswers(exports: string): (asked: Json) => Promise<Json> {
  return async (asked) => {
    const piece = await readPiece(exports, readPlace(asked));
    return piece === undefined ? null : { ...piece };
  };
}

async function askOthers(
  { self, list, request }: Pick<Nodes, "self" | "list" | "request">,
  place: ExportPlace,
): Promise<readonly Promise<Piece | undefined>[]> {
  const others = (await list()).filter(({ id, address }) => id !== self.id && address !== undefined);
  const body = JSON.stringify(place);
  return others.map(async ({ id, label }) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await request(id, { method: "POST", path: "/nodes/exports", body, signal });
    if (response.ok) return readAnswer((await response.json()) as Json);
    await response.body?.cancel();
    // An older release keeps its files for itself.
    if (response.status === NOT_KNOWN) return undefined;
    throw new CairnError("UNAVAILABLE", `The node ${label} answers with ${response.status}.`);
  });
}

async function readPiece(exports: string, { name, offset, ...area }: ExportPlace): Promise<Piece | undefined> {
  if (!EXPORT_NAME.test(name)) return undefined;
  const path = join(toExportFolder(exports, area), name);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    // What stands there as a symlink was not written here.
    if (error instanceof Error && "code" in error && ["ENOENT", "ELOOP"].includes(String(error.code))) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, offset);
    return { text: buffer.toString("latin1", 0, bytesRead), size };
  } finally {
    await file.close();
  }
}

function readPlace(asked: Json): ExportPlace {
  const { tenant, server, scope, name, offset } = isObject(asked) ? asked : {};
  const isFolder = (value: unknown): value is string => typeof value === "string" && EXPORT_NAME.test(value);
  if (typeof tenant === "string" && isFolder(server) && isFolder(scope) && typeof name === "string") {
    if (Number.isSafeInteger(offset) && Number(offset) >= 0)
      return { tenant, server, scope, name, offset: Number(offset) };
  }
  throw new CairnError("BAD_REQUEST", "No such place in an exported file is known to this release of Cairn.");
}

function readAnswer(answer: Json): Piece | undefined {
  const { text, size } = isObject(answer) ? answer : {};
  return typeof text === "string" && typeof size === "number" ? { text, size } : undefined;
}
