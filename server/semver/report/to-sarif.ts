import { defined } from "../../json/defined.ts";
import { createHash } from "node:crypto";
import type { Report, ReportEntry } from "./report.ts";

/** Results of one run that GitHub takes; it shows fewer. */
const RESULT_LIMIT = 5_000;

/**
 * Writes a report in the Static Analysis Results Interchange Format 2.1.0, which code scanning reads. A change that makes
 * the number too low is an error, another break a warning, and any other change a note.
 */
export function toSarif({ entries, verdict, isRefused, required, file }: Report): object {
  const shown = entries.slice(0, RESULT_LIMIT);
  const rules = new Map(shown.map((entry) => [entry.rule, entry]));
  const ids = [...rules.keys()].sort();
  const toLevel = ({ level, accepted }: ReportEntry) =>
    accepted !== undefined
      ? "note"
      : isRefused && level === required
        ? "error"
        : level === "major"
          ? "warning"
          : "note";
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Cairn",
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: rules.get(id)?.why ?? id },
              properties: { bump: rules.get(id)?.level },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: shown.map((entry) => ({
          ruleId: entry.rule,
          ruleIndex: ids.indexOf(entry.rule),
          level: toLevel(entry),
          message: { text: entry.example === undefined ? entry.message : `${entry.message} ${entry.example}` },
          locations: [toLocation(entry, file)],
          ...(entry.accepted === undefined
            ? {}
            : { suppressions: [{ kind: "external", justification: entry.accepted }] }),
          partialFingerprints: { "cairn/v1": toFingerprint(entry) },
          properties: { bump: entry.level, ...defined({ of: entry.of, example: entry.value }) },
        })),
        properties: { verdict, required, refused: isRefused, leftOut: entries.length - shown.length },
      },
    ],
  };
}

/** Code scanning shows no result without a file, so what is in none stands at the file of the verdict. */
function toLocation({ where, at }: ReportEntry, file: string | undefined): object {
  const { file: uri = file, line = 1, column = 1 } = at ?? {};
  return {
    ...(uri === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(uri), uriBaseId: "%SRCROOT%" },
            region: { startLine: line, startColumn: column },
          },
        }),
    logicalLocations: [{ fullyQualifiedName: where }],
  };
}

/** One for a change wherever it stands, so that a line that moves makes no new alert. */
function toFingerprint({ rule, message }: ReportEntry): string {
  return createHash("sha256").update(`${rule} ${message}`).digest("hex");
}
