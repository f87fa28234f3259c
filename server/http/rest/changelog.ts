import { formatChanges } from "../../semver/changelog.ts";
import { listCovered } from "../../semver/accept-breaks.ts";
import type { Finding } from "../../semver/finding.ts";
import type { Problem } from "../../versions/problem.ts";
import type { Described } from "../../versions/registry/resolve/describe.ts";
import { explainBreak, listAccepted } from "../../versions/list-accepted.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { createDocument, type Document } from "../document.ts";

/** Findings of a version by the version that it is compared with; undefined where that cannot be read. */
type Compared = ReadonlyMap<string, readonly Finding[] | undefined>;

/** Writes the changelog of a version from versions.yaml, and its problems if it is not served, as Markdown. */
export function toChangelog(
  { record, version, parent }: Described,
  mayUse: (tool: Tool) => boolean,
  problems: readonly Problem[],
  compared: Compared,
): Document {
  const history = version?.history.versions.get(version.semver);
  const accepted = version === undefined ? [] : explainAccepted(version, mayUse, compared);
  const lines = [
    `# ${record.semver ?? record.commit.slice(0, 10)}`,
    "",
    `Commit ${record.commit}, ${history?.date ?? record.createdAt}.`,
    ...(parent === undefined ? [] : [`Made from ${parent.version ?? parent.commit ?? parent.named}.`]),
    "",
    ...formatChanges(history?.changes ?? [], 2),
    ...(accepted.length === 0 ? [] : ["", "## Accepted", "", ...accepted]),
    ...(problems.length === 0 ? [] : ["", "## Why it is not served", ""]),
    ...problems.map(({ file, line, column, message }) => `- \`${file}:${line}:${column}\`: ${message}`),
  ];
  return createDocument("text/markdown; charset=utf-8", `${lines.join("\n")}\n`, "fast");
}

/** Writes the breaks that are accepted, each with the findings that it covers where the caller may know them. */
function explainAccepted(version: Version, mayUse: (tool: Tool) => boolean, compared: Compared): readonly string[] {
  const { accepts = [] } = version.history.versions.get(version.semver) ?? {};
  const shown = listAccepted(version, mayUse);
  return accepts.flatMap((entry, index) => {
    const findings = compared.get(entry.from);
    const covered = listCovered(entry, findings ?? []);
    const one = shown[index];
    if (one === undefined || (findings !== undefined && covered.length === 0)) return [];
    return [
      `- ${explainBreak(
        one,
        covered.filter(({ isPolicy }) => isPolicy !== true),
      )}`,
    ];
  });
}
