import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { OWN_SCHEMA_OPTIONS } from "../../json/own-schema-options.ts";

/** Schemas in `schemas/` that reports must match, by their names. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["plan.json", "plan"],
  ["executor_report.json", "executor-report"],
  ["patch_apply_report.json", "patch-apply-report"],
  ["verifier_report.json", "verifier-report"],
  ["gate_report.json", "gate-report"],
  ["approval.json", "approval"],
]);

type ReportCheck = (value: unknown) => string | undefined;

/** Finds the check of evidence with this name; undefined for what is no JSON. Other JSON has at least what all reports have. */
export function findReportKind(name: string): ReportCheck | undefined {
  return checks.get(name) ?? (name.endsWith(".json") ? checkOther : undefined);
}

const checks: ReadonlyMap<string, ReportCheck> = new Map([...KINDS].map(([name, kind]) => [name, createCheck(kind)]));

const checkOther = createCheck("evidence");

function createCheck(kind: string): ReportCheck {
  // Compiled when the first report is written.
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= compile(kind);
    if (validate(value)) return undefined;
    const [{ instancePath = "", message = "does not fit", params = {} } = {}] = validate.errors ?? [];
    const extra: unknown = params["additionalProperty"];
    const what = typeof extra === "string" ? `${message} (\`${extra}\`)` : message;
    return `${instancePath === "" ? "it" : `\`${instancePath}\``} ${what}`;
  };
}

function compile(kind: string): ValidateFunction {
  const schema: unknown = JSON.parse(
    readFileSync(new URL(`../../../schemas/${kind}.schema.json`, import.meta.url), "utf8"),
  );
  return new Ajv2020({ ...OWN_SCHEMA_OPTIONS, strict: true, strictTypes: false }).compile(schema as object);
}
