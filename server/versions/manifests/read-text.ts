import { isUtf8 } from "node:buffer";
import type { Problem } from "../problem.ts";
import { createProblem } from "./create-problem.ts";
import { createPositions, START } from "./position.ts";

export type TextRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Problem };

/** Bytes as text: UTF-8 without a byte order mark and without NUL, which tools disagree about how to show. */
export function readText(file: string, bytes: Uint8Array): TextRead {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (!isUtf8(bytes)) {
    const offset = findInvalid(text, bytes);
    return refuse(offset, "The bytes here are not UTF-8.", "Save the file as UTF-8.");
  }
  if (text.startsWith("\uFEFF")) {
    return refuse(0, "The file starts with a byte order mark.", "Save the file as UTF-8 without BOM.");
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) return refuse(nul, "There is a NUL character here.", "Delete it; text files have none.");
  return { ok: true, text };

  function refuse(offset: number, message: string, fix: string): TextRead {
    const at = offset === 0 ? START : createPositions(text)(offset);
    return { ok: false, problem: createProblem(file, at, "text-encoding", message, fix) };
  }
}

/**
 * Finds the first byte that decoding replaced by a replacement character: there the text, encoded again, differs from the
 * original.
 */
function findInvalid(text: string, bytes: Uint8Array): number {
  const again = Buffer.from(text, "utf8");
  let index = 0;
  while (index < bytes.length && again[index] === bytes[index]) index++;
  while (((again[index] ?? 0) & 0b1100_0000) === 0b1000_0000) index--;
  return again.subarray(0, index).toString("utf8").length;
}
