import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../errors.ts";

/**
 * Checks that folders can be made where the machine keeps temporary files, by making one. Sandboxes, snapshots and merges each work in
 * a folder there. @throws UNAVAILABLE
 */
export async function assertTemporary(): Promise<void> {
  const folder = tmpdir();
  try {
    await rm(await mkdtemp(join(folder, "cairn-try-")), { recursive: true });
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    const advice = "Make it a folder that this account may write to (`chmod 1777 /tmp`), or set TMPDIR to one";
    throw new CairnError(
      "UNAVAILABLE",
      `No folder can be made in \`${folder}\` for temporary files (${reason}). ${advice}.`,
      {
        cause,
      },
    );
  }
}
