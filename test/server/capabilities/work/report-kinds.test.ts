import { describe, expect, test } from "vitest";
import { findReportKind } from "../../../../server/capabilities/work/report-kinds.ts";

const COMMON = {
  schema_version: 1,
  task_id: "00000000-0000-7000-8000-000000000000",
  run_id: "00000000-0000-7000-8000-000000000001",
  timestamps: { created_at: "2026-01-01T00:00:00Z" },
  metrics: {},
  warnings: [],
  errors: [],
};
const REPORTS: Readonly<Record<string, object>> = {
  "plan.json": { status: "planned", objective: "Tidy.", files: [], instructions: "Do." },
  "executor_report.json": { status: "completed" },
  "patch_apply_report.json": { status: "applied" },
  "verifier_report.json": { status: "passed" },
  "gate_report.json": { status: "passed", risk_level: "low", checks: [], files: [] },
  "approval.json": { status: "approved", approver: "Ada", reason: "It is right.", approved_by: "ada" },
};

describe.each(Object.entries(REPORTS))("[W2] %s", (name, own) => {
  const report: Readonly<Record<string, unknown>> = { ...COMMON, ...own };

  test("has the members that all reports have", () => {
    expect(findReportKind(name)?.(report)).toBeUndefined();
  });

  test.each([...Object.keys(COMMON), "status"])("is no report without `%s`", (member) => {
    const { [member]: _, ...rest } = report;
    expect(findReportKind(name)?.(rest)).toContain(`'${member}'`);
  });
});
