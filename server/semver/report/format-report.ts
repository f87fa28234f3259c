import { printable } from "../../text/printable.ts";
import { toWorkflowCommand } from "../../versions/format-problems.ts";
import { type Level, LEVELS } from "../level.ts";
import type { Report, ReportEntry } from "./report.ts";
import { toSarif } from "./to-sarif.ts";

/** Forms of a report; `text` and `markdown` for people, `github` for annotations, `sarif` (2.1.0) for code scanning. */
type ReportFormat = "text" | "markdown" | "github" | "sarif";

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
    ...entries.flatMap(({ level, rule, message, where, of, example, accepted }) => [
      `${where}: ${level}: ${message} [${rule}]${of === undefined ? "" : ` of ${of}`}`,
      ...(example === undefined ? [] : [`    ${example}`]),
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

function toItem({ rule, message, where, of, example, accepted }: ReportEntry): string {
  const sentences = [message, example, accepted].flatMap((text) => (text === undefined ? [] : escapeMarkdown(text)));
  return `- ${sentences.join(" ")} (${toCode(where)}, ${rule}${of === undefined ? "" : ` of ${toCode(of)}`})`;
}

/** Writes the verdict first, then the worst changes: GitHub shows no more annotations than that. */
function toAnnotations({ entries, verdict, isRefused, required, file }: Report): string {
  const [first, ...others] = verdict.map((line) =>
    toWorkflowCommand(isRefused ? "error" : "notice", file === undefined ? {} : { file }, line),
  );
  const worst = entries.slice(0, ANNOTATIONS).map(({ level, rule, message, at, of, example, accepted }) => {
    const place = at === undefined ? {} : { file: at.file, line: at.line, col: at.column };
    const part = of === undefined ? undefined : `It is about: ${of}.`;
    const text = [message, example, part, accepted].filter((sentence) => sentence !== undefined).join(" ");
    const kind = isRefused && accepted === undefined && level === required ? "error" : "notice";
    return toWorkflowCommand(kind, { ...place, title: `${level}: ${rule}` }, text);
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
