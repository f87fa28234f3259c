import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { saveText } from "../../imports/save-text.ts";
import type { Level } from "../../semver/level.ts";
import { FRAGMENT_KINDS, type FragmentContent } from "../../versions/manifests/fragments/read-fragment.ts";
import { toFragmentFile, writeFragment } from "../../versions/manifests/fragments/write-fragment.ts";
import { FRAGMENT_FOLDER } from "../../versions/tree.ts";
import type { CliContext } from "../command.ts";

export interface NewFragment {
  readonly level: Level;
  readonly changes: readonly string[];
  /** Only says what would be written. */
  readonly dry?: boolean;
}

/** Writes a change fragment under a name that is free; a level of `none` makes a patch. @throws BAD_REQUEST without a sentence. */
export async function putFragment(
  { folder, out }: Pick<CliContext, "folder" | "out">,
  { level, changes: said, dry = false }: NewFragment,
): Promise<void> {
  const changes = said.filter((sentence) => sentence !== "");
  if (changes.length === 0)
    throw new CairnError("BAD_REQUEST", "The message is empty: say in a sentence what changes.");
  const kind = FRAGMENT_KINDS.find((one) => one === level) ?? "patch";
  const content: Omit<FragmentContent, "accepts"> = { kind, changes };
  const names: readonly string[] = await readdir(join(folder, FRAGMENT_FOLDER)).catch(() => []);
  const file = toFragmentFile(content, (one) => names.includes(one.slice(FRAGMENT_FOLDER.length + 1)));
  if (!dry) await saveText(join(folder, file), writeFragment(content));
  out(`${dry ? "Would write" : "Wrote"} ${file}: ${content.kind}.`);
}
