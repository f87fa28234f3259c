import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { formatChanges } from "../../semver/changelog.ts";
import type { Version } from "../../versions/version.ts";
import type { CliContext } from "../command.ts";
import type { ComparedTargets } from "./compare-targets.ts";

/** Appends what came of it to the file of `--outputs`, if there is one; without a version before, nothing is known of the bump. */
export async function writeOutputs(
  { folder }: CliContext,
  { outputs: file }: { readonly outputs?: string | undefined },
  { released, version, before }: { released: boolean; version: string; before?: ComparedTargets | undefined },
): Promise<void> {
  if (file === undefined) return;
  const required = before?.difference.required;
  const bump = required === undefined ? [] : [`bump=${required}`, `breaking=${required === "major"}`];
  await appendFile(resolve(folder, file), [`released=${released}`, `version=${version}`, ...bump, ""].join("\n"));
}

/** Title, changes as they stand in versions.yaml, and accepted breaks: what the tag says and what people read. */
export function toNotes({ history, semver }: Version, tag: string, accepted: readonly string[]): string {
  const { changes = [] } = history.versions.get(semver) ?? {};
  const section = accepted.length === 0 ? [] : ["", "### Accepted", "", ...accepted.map((one) => `- ${one}`)];
  const lines = [...formatChanges(changes, 3), ...section];
  return [tag, ...(lines.length === 0 ? [] : ["", ...lines])].join("\n");
}
