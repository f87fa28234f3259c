import { hash } from "node:crypto";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { evidenceKey } from "../../store/keys.ts";
import { readStrictJson } from "../../json/strict-json.ts";
import { findHeldRun, note, type RecordDesk, saveRun, type WorkDesk } from "./desk.ts";
import { changeRun, type Run } from "./run.ts";
import { findReportKind } from "./report-kinds.ts";
import { toTime } from "../../text/to-time.ts";
import { findWorkflow } from "./workflows.ts";
import { readJson } from "../../json/read-json.ts";

/** The journal is among a run's evidence, but made by the service alone. */
export const JOURNAL = "journal/events.jsonl";
/** Bytes of one piece of evidence, and pieces of one run. */
export const ARTIFACT_BYTES = 1024 * 1024;
const ARTIFACT_LIMIT = 64;
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const ENDINGS = [".json", ".jsonl", ".diff", ".md", ".txt"];

export interface ArtifactWrite {
  readonly runId: string;
  readonly name: string;
  readonly content: string;
  /** The tool that asks for it: some evidence only the step may write whose tool it is. */
  readonly tool: string;
}

/**
 * Keeps a piece of evidence of a run that is under way; the same name again replaces it. Once the run has ended it cannot
 * change any more.
 *
 * @throws what `findHeldRun` does; BAD_REQUEST for a name or a content that evidence cannot have; FORBIDDEN for what is
 * written by others; PAYLOAD_TOO_LARGE.
 */
export async function writeArtifact(desk: WorkDesk, { runId, name, content, tool }: ArtifactWrite): Promise<Run> {
  assertName(name);
  const { tenant, record: run } = await findHeldRun(desk, runId);
  assertMayWrite(desk, run, name, tool);
  const bytes = Buffer.byteLength(content);
  if (bytes > ARTIFACT_BYTES) {
    throw new CairnError("PAYLOAD_TOO_LARGE", `\`${name}\` has ${bytes} bytes; ${ARTIFACT_BYTES} are allowed.`);
  }
  if (run.artifacts[name] === undefined && Object.keys(run.artifacts).length >= ARTIFACT_LIMIT) {
    throw new CairnError("CONFLICT", `Run \`${runId}\` has ${ARTIFACT_LIMIT} pieces of evidence already.`);
  }
  assertContent(run, name, content);
  const changed = putArtifact(desk, tenant, run, name, content);
  saveRun(desk, tenant, changed);
  note(desk, tenant, run, "evidence.written", { name, bytes, digest: changed.artifacts[name]?.digest ?? "" });
  return changed;
}

/** Stages the content; the run that comes back knows of it. */
export function putArtifact(desk: RecordDesk, tenant: string, run: Run, name: string, content: string): Run {
  const digest = hash("sha256", content);
  desk.set(evidenceKey(tenant, digest), content);
  const artifact = { digest, bytes: Buffer.byteLength(content), written_at: toTime(desk.now) };
  return changeRun(run, desk.now, { artifacts: { ...run.artifacts, [name]: artifact } });
}

/** The content of the evidence of this name; undefined when there is none. */
export async function readArtifact(
  desk: Pick<RecordDesk, "get">,
  tenant: string,
  run: Run,
  name: string,
): Promise<string | undefined> {
  const artifact = Object.hasOwn(run.artifacts, name) ? run.artifacts[name] : undefined;
  if (artifact === undefined) return undefined;
  const content = await desk.get(evidenceKey(tenant, artifact.digest));
  if (typeof content === "string" && hash("sha256", content) === artifact.digest) return content;
  throw new CairnError("INTERNAL_ERROR", `The content of \`${name}\` of run \`${run.run_id}\` is damaged.`);
}

/** A report as an object; undefined when there is none. */
export async function readReport(
  desk: WorkDesk,
  tenant: string,
  run: Run,
  name: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const content = await readArtifact(desk, tenant, run, name);
  const value = content === undefined ? undefined : readJson(content);
  return isObject(value) ? value : undefined;
}

/**
 * Says that one of these pieces of a run's evidence is newer than a judgement of it, by a person or by the gate, which is then about
 * another; undefined where none is.
 */
export function explainStale({ artifacts }: Run, names: readonly string[]): string | undefined {
  for (const judgement of ["approval.json", "gate_report.json"]) {
    const judged = artifacts[judgement]?.written_at;
    if (judged === undefined) continue;
    const newer = names.find((name) => (artifacts[name]?.written_at ?? "") > judged);
    if (newer !== undefined) return `its \`${newer}\` is newer than \`${judgement}\`, which is about another.`;
  }
  return undefined;
}

function assertName(name: string): void {
  if (name === JOURNAL) throw new CairnError("FORBIDDEN", `\`${JOURNAL}\` is written by the service alone.`);
  if (NAME.test(name) && ENDINGS.some((ending) => name.endsWith(ending))) return;
  throw new CairnError(
    "BAD_REQUEST",
    `\`${name.slice(0, 64)}\` cannot be the name of evidence: lower-case letters, digits, \`.\`, \`_\` and \`-\`, ending in ${ENDINGS.join(", ")}, at most 64 in all.`,
  );
}

function assertMayWrite({ version }: WorkDesk, run: Run, name: string, tool: string): void {
  if (name === "approval.json")
    throw new CairnError("FORBIDDEN", "`approval.json` is written by `approval_write` alone.");
  const { steps, writes } = findWorkflow(version, run.workflow);
  const owner = steps.find(({ produces }) => produces.includes(name));
  if (owner !== undefined && owner.tool !== tool) {
    throw new CairnError(
      "FORBIDDEN",
      `\`${name}\` is written by the step \`${owner.name}\` of \`${run.workflow}\` alone.`,
    );
  }
  if (writes && name === "gate_report.json") {
    throw new CairnError(
      "FORBIDDEN",
      "`gate_report.json` of a run that may change files is written by its gate alone.",
    );
  }
}

/** Form of all reports, for a worker that has read no schema. */
export const REPORT_FORM =
  'A report is JSON such as {"schema_version":1,"task_id":"...","run_id":"...","timestamps":{"created_at":"2026-01-01T00:00:00Z"},"status":"completed","metrics":{},"warnings":[],"errors":[]}.';

function assertContent(run: Run, name: string, content: string): void {
  if (!name.endsWith(".json")) return;
  const value = readStrictJson(content);
  const kind = findReportKind(name);
  if (kind === undefined) return;
  const wrong = kind(value);
  if (wrong !== undefined) {
    throw new CairnError("BAD_REQUEST", `\`${name}\` is no such report: ${wrong}. ${REPORT_FORM}`);
  }
  const report = value as { readonly task_id: string; readonly run_id: string };
  for (const [field, expected] of [
    ["task_id", run.task_id],
    ["run_id", run.run_id],
  ] as const) {
    if (report[field] !== expected) {
      throw new CairnError("BAD_REQUEST", `\`${name}\`: \`${field}\` is \`${report[field]}\`, not \`${expected}\`.`);
    }
  }
}
