import { canonicalJson } from "../json/canonical-json.ts";
import { printable } from "../text/printable.ts";
import { toWorkflowCommand } from "../text/workflow-command.ts";
import { type Level, LEVELS } from "./level.ts";
import type { Report, ReportEntry } from "./report.ts";
import { toSarif } from "./to-sarif.ts";

/** Forms of a report; `text` and `markdown` for people, `github` for annotations, `sarif` (2.1.0) for code scanning. */
type ReportFormat = "text" | "markdown" | "github" | "sarif";

/** Characters of an example value that people are shown. */
const VALUE_LENGTH = 200;
/** Characters of markdown: GitHub takes 65,536 in a comment, of which others may need some. */
const MARKDOWN_LENGTH = 60_000;
/** Annotations that GitHub shows of one step and kind. */
const ANNOTATIONS = 10;

export function formatReport(report: Report, format: ReportFormat): string {
  switch (format) {
    case "text":
      return toText(report);
    case "markdown":
      return toMarkdown(report);
    case "github":
      return toAnnotations(report);
    case "sarif":
      return JSON.stringify(toSarif(report), undefined, 2);
  }
}

function toText({ entries, verdict }: Report): string {
  return [
    ...entries.flatMap(({ level, rule, message, where, value, accepted }) => [
      `${where}: ${level}: ${message} [${rule}]`,
      ...(value === undefined ? [] : [`    for example ${showValue(value)}`]),
      ...(accepted === undefined ? [] : [`    ${accepted}`]),
    ]),
    ...(entries.length === 0 ? [] : [""]),
    ...verdict,
  ]
    .map(printable)
    .join("\n");
}

/** Writes the verdict first, and leaves out changes at the end where a comment would be too long. */
function toMarkdown({ entries, verdict }: Report): string {
  const lines = verdict.map(escapeMarkdown).map(printable);
  let length = lines.join("\n").length;
  let level: Level | undefined;
  for (const [index, entry] of entries.entries()) {
    const heading =
      entry.level === level ? [] : ["", `### ${entry.level[0]?.toUpperCase()}${entry.level.slice(1)}`, ""];
    const more = [...heading, printable(toItem(entry))];
    length += more.reduce((sum, line) => sum + line.length + 1, 0);
    if (length > MARKDOWN_LENGTH) return [...lines, "", showMore(entries.slice(index))].join("\n");
    lines.push(...more);
    level = entry.level;
  }
  return lines.join("\n");
}

function toItem({ rule, message, where, value, accepted }: ReportEntry): string {
  const consent = accepted === undefined ? "" : ` ${escapeMarkdown(accepted)}`;
  const example = value === undefined ? "" : ` For example ${toCode(showValue(value))}.`;
  return `- ${escapeMarkdown(message)}${example}${consent} (${toCode(where)}, ${rule})`;
}

/** Writes the verdict first, then the worst changes: GitHub shows no more annotations than that. */
function toAnnotations({ entries, verdict, isRefused, required, file }: Report): string {
  const [first, ...others] = verdict.map((line) =>
    toWorkflowCommand(isRefused ? "error" : "notice", file === undefined ? {} : { file }, line),
  );
  const worst = entries.slice(0, ANNOTATIONS).map(({ level, rule, message, at, value, accepted }) => {
    const place = at === undefined ? {} : { file: at.file, line: at.line, col: at.column };
    const example = value === undefined ? "" : ` For example ${showValue(value)}.`;
    const consent = accepted === undefined ? "" : ` ${accepted}`;
    const kind = isRefused && accepted === undefined && level === required ? "error" : "notice";
    return toWorkflowCommand(kind, { ...place, title: `${level}: ${rule}` }, message + example + consent);
  });
  const rest = entries.slice(ANNOTATIONS);
  const more = rest.length === 0 ? [] : [toWorkflowCommand("notice", {}, showMore(rest))];
  return [...(first === undefined ? [] : [first]), ...worst, ...more, ...others].join("\n");
}

/** Says how many changes are not shown, by level. */
function showMore(entries: readonly ReportEntry[]): string {
  const counts = LEVELS.toReversed().flatMap((level) => {
    const count = entries.filter((entry) => entry.level === level).length;
    return count === 0 ? [] : [`${count} ${level}`];
  });
  return `... and ${entries.length} more (${counts.join(", ")}); \`--format text\` shows all.`;
}

/** Writes an example as canonical JSON, cut where it is long. */
function showValue(value: unknown): string {
  const text = canonicalJson(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}...` : text;
}

function toCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/** Escapes what manifests of a stranger's pull request could format, or mention anybody with, in a comment. */
function escapeMarkdown(text: string): string {
  return text
    .split(/(`[^`@<]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\`*_{}[\]<>@#|!]/g, "\\$&")))
    .join("");
}
