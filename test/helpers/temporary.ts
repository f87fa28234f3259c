import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Where helpers leave what has to be undone: by default the end of the current test. */
export type AtEnd = (undo: () => Promise<void>) => void;

/** A fresh folder that disappears at the end. */
export async function temporaryFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-test-"));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** For what several tests share: `undoAll` belongs into `afterAll`. */
export function createShared(): { readonly atEnd: AtEnd; readonly undoAll: () => Promise<void> } {
  const undos: (() => Promise<void>)[] = [];
  return {
    atEnd: (undo) => void undos.push(undo),
    undoAll: async () => {
      for (const undo of undos.splice(0).reverse()) await undo();
    },
  };
}
