import type { Problem } from "../../versions/problem.ts";
import type { Described } from "../../versions/registry/resolve/describe.ts";
import { explainBreak, listAccepted } from "../../versions/list-accepted.ts";
import type { Tool } from "../../versions/version.ts";
import { createDocument, type Document } from "../document.ts";

/** Writes the changelog of a version from versions.yaml, and its problems if it is not served, as Markdown. */
export function toChangelog(
  { record, version, parent }: Described,
  mayUse: (tool: Tool) => boolean,
  problems: readonly Problem[],
): Document {
  const history = version?.history.versions.get(version.semver);
  const lines = [
    `# ${record.semver ?? record.commit.slice(0, 10)}`,
    "",
    `Commit ${record.commit}, ${history?.date ?? record.createdAt}.`,
    ...(parent === undefined ? [] : [`Made from ${parent.version ?? parent.commit ?? parent.named}.`]),
    "",
    ...(history?.changes ?? []).map((change) => `- ${change}`),
    ...(version === undefined ? [] : listAccepted(version, mayUse).map((accepted) => `- ${explainBreak(accepted)}`)),
    ...(problems.length === 0 ? [] : ["", "## Why it is not served", ""]),
    ...problems.map(({ file, line, column, message }) => `- \`${file}:${line}:${column}\`: ${message}`),
  ];
  return createDocument("text/markdown; charset=utf-8", `${lines.join("\n")}\n`, "fast");
}
