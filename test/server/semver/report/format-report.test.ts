import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import type { Level } from "../../../../server/semver/level.ts";
import { formatReport } from "../../../../server/semver/report/format-report.ts";
import type { Report, ReportEntry } from "../../../../server/semver/report/report.ts";

const toEntry = (level: Level, index: number, more: Partial<ReportEntry> = {}): ReportEntry => ({
  level,
  rule: `rule-${level}`,
  why: "Clients feel it.",
  message: `Change ${index} of \`tool_${index}\`.`,
  where: `manifests/a.yaml:${index}:3`,
  at: { file: "manifests/a.yaml", line: index, column: 3 },
  ...more,
});
const toReport = (entries: readonly ReportEntry[], more: Partial<Report> = {}): Report => ({
  verdict: ["It needs a major bump.", "A tool's number is too low."],
  isRefused: true,
  required: "major",
  entries,
  file: "versions.yaml",
  ...more,
});
const many = (count: number) =>
  (["major", "minor", "patch"] as const).flatMap((level) =>
    Array.from({ length: count }, (_, index) => toEntry(level, index + 1)),
  );

/** Schema of OASIS for SARIF 2.1.0, as `@microsoft/jest-sarif` 1.0.0-beta.0 (MIT) packs it; written in draft 4, of which it uses nothing that draft 7 has in another form. */
function createSarifCheck() {
  const {
    $schema: _draft,
    id: _id,
    ...schema
  } = JSON.parse(readFileSync("test/fixtures/sarif-2.1.0.schema.json", "utf8"));
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

describe("[V2] a report as annotations of GitHub", () => {
  test("has the verdict first, then the worst ten, then how many more there are", () => {
    const lines = formatReport(toReport(many(8)), "github").split("\n");
    expect(lines[0]).toBe("::error file=versions.yaml::It needs a major bump.");
    expect(lines.slice(1, 9).every((line) => line.startsWith("::error file=manifests/a.yaml,line="))).toBe(true);
    expect(lines.slice(9, 11).every((line) => line.startsWith("::notice file=manifests/a.yaml,line="))).toBe(true);
    expect(lines[11]).toBe("::notice::... and 14 more (6 minor, 8 patch); `--format text` shows all.");
    expect(lines.slice(12)).toEqual(["::error file=versions.yaml::A tool's number is too low."]);
  });

  test("of few changes leaves nothing out", () => {
    const [, change, ...rest] = formatReport(
      toReport([toEntry("patch", 1, { example: "Before: b; after: c.", of: "tool a" })]),
      "github",
    ).split("\n");
    expect(change).toBe(
      "::notice file=manifests/a.yaml,line=1,col=3,title=patch%3A rule-patch::Change 1 of `tool_1`. Before: b; after: c. It is about: tool a.",
    );
    expect(rest).toHaveLength(1);
  });
});

describe("[V2] a report as markdown", () => {
  test("has the verdict first, then a heading for each bump", () => {
    const about = { example: 'Before: `{"a":1}` came.', of: "tool a, member b" };
    const text = formatReport(toReport([toEntry("major", 1), toEntry("patch", 2, about)]), "markdown");
    expect(text).toBe(`It needs a major bump.
A tool's number is too low.

### Major

- Change 1 of \`tool_1\`. (\`manifests/a.yaml:1:3\`, rule-major)

### Patch

- Change 2 of \`tool_2\`. Before: \`{"a":1}\` came. (\`manifests/a.yaml:2:3\`, rule-patch of \`tool a, member b\`)`);
  });

  test("is cut at its end, with the number of what is left out", () => {
    const text = formatReport(toReport(many(1_000)), "markdown");
    expect(text.length).toBeLessThan(60_200);
    expect(text.startsWith("It needs a major bump.\n")).toBe(true);
    const [, all, major = "0"] = /\.\.\. and (\d+) more \((?:(\d+) major, )?\d+ minor, \d+ patch\)/.exec(text) ?? [];
    const shown = text.split("\n").filter((line) => line.startsWith("- ")).length;
    expect(Number(all) + shown).toBe(3_000);
    expect(Number(major)).toBe(Math.max(0, 1_000 - shown));
  });

  test("lets nobody format it or be mentioned", () => {
    const text = formatReport(toReport([toEntry("major", 1, { message: "Hi @team, <b>[x](y)" })]), "markdown");
    expect(text).toContain("- Hi \\@team, \\<b\\>\\[x\\](y)");
  });
});

describe("[V2] a report as SARIF", () => {
  const check = createSarifCheck();

  test.each<[string, Report]>([
    ["changes", toReport([toEntry("major", 1, { value: { a: [1] } }), toEntry("minor", 2)])],
    [
      "changes in no file",
      toReport([{ level: "major", rule: "r", why: "w", message: "m", where: "tools/a b" }], { isRefused: false }),
    ],
    ["nothing", { verdict: [], isRefused: false, required: "none", entries: [] }],
  ])("of %s fits the schema of 2.1.0", (_, report) => {
    expect([check(JSON.parse(formatReport(report, "sarif"))), check.errors]).toEqual([true, null]);
  });

  test("the schema would refuse what is none", () => {
    expect(check({ version: "2.1.0", runs: [{ tool: {} }] })).toBe(false);
  });

  test("says how bad each change is, where it is, and by which rule", () => {
    const entries = [toEntry("major", 4), toEntry("minor", 5)];
    const sarif = JSON.parse(formatReport(toReport(entries), "sarif"));
    const at = (startLine: number) => ({
      artifactLocation: { uri: "manifests/a.yaml" },
      region: { startLine, startColumn: 3 },
    });
    expect(sarif.runs[0].results).toMatchObject([
      { ruleId: "rule-major", ruleIndex: 0, level: "error", locations: [{ physicalLocation: at(4) }] },
      { ruleId: "rule-minor", ruleIndex: 1, level: "note", locations: [{ physicalLocation: at(5) }] },
    ]);
    expect(sarif.runs[0].properties).toMatchObject({ verdict: toReport([]).verdict, required: "major", refused: true });
    const accepted = JSON.parse(formatReport(toReport(entries, { isRefused: false }), "sarif"));
    expect(accepted.runs[0].results[0].level).toBe("warning");
  });
});
