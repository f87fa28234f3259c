import type { JsonSchema } from "../../../host-api.ts";
import type { Json } from "../../../json/types.ts";
import type { Problem } from "../../problem.ts";
import type { Limits, Tool } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import { createPointerCheck } from "../schema/pointer-check.ts";
import type { CompiledSchema, SchemaCompiler } from "../schema/schema-compiler.ts";
import { toDeprecation } from "../../retirement/deprecation.ts";
import { checkDays } from "./check-ends.ts";
import { checkExamples } from "./check-examples.ts";
import { checkHeaders } from "./check-headers.ts";
import { checkInteractive, checkPromises } from "./check-promises.ts";
import { checkSecrets } from "./check-secrets.ts";
import { readApproval } from "./read-approval.ts";
import { findOversights } from "./find-oversights.ts";
import type { FileRead } from "./file-read.ts";
import { readSchema } from "./read-schema.ts";
import type { ToolContent } from "./tool-content.ts";

/** All of a tool that its own file decides; the limits it leaves open are the agent's. */
export interface ToolFile {
  readonly tool: Omit<Tool, "limits">;
  readonly limits: Partial<Limits>;
  readonly problem: Manifest<ToolContent>["problem"];
}

export function readTool(
  server: string,
  stem: string,
  manifest: Manifest<ToolContent>,
  compile: SchemaCompiler,
): FileRead<ToolFile> {
  const { file, content, problem } = manifest;
  const problems: Problem[] = [];
  const bare = content.name.startsWith(`${server}.`) ? content.name.slice(server.length + 1) : content.name;
  if (bare !== stem) {
    const message = `The tool \`${content.name}\` is in the file \`${stem}.yaml\`.`;
    const fix = `Name it \`${server}.${stem}\` or \`${stem}\`, or rename the file and its handler.`;
    problems.push(problem("name-mismatch", ["name"], message, fix));
  }
  const input = read(content.input, "input");
  const output = read(content.output, "output");
  const approval = content.approval && readApproval(manifest, ["approval"], content.approval, compile);
  problems.push(...(approval?.problems ?? []), ...checkDeclared(manifest));
  if (input && output) {
    problems.push(...checkExamples(manifest, input, output, compile), ...checkRedact(manifest));
  }
  const { limits = {}, record = false, approval: _approval, deprecated, ...rest } = content;
  const { sideEffect = false, egress = EMPTY } = content;
  const secrets = (content.secrets ?? EMPTY).map((secret) => Object.freeze({ ...SECRET, ...secret }));
  const tool = Object.freeze({
    deterministic: false,
    idempotent: !sideEffect,
    cost: FREE,
    requiredCapabilities: EMPTY,
    tenantScoped: true,
    session: "stateless",
    interactive: false,
    upstreams: EMPTY,
    parameters: EMPTY,
    redact: EMPTY,
    examples: EMPTY,
    ...rest,
    ...readRecord(record),
    ...(deprecated && { deprecated: toDeprecation(deprecated) }),
    approvals: approval === undefined ? EMPTY : Object.freeze([approval.approval]),
    egress: [...new Set([...egress, ...secrets.flatMap(({ hosts }) => hosts)])],
    secrets,
    server,
    sideEffect,
    uses: new Set(content.uses),
    checkInput: input?.check ?? accept,
    checkOutput: output?.check ?? accept,
    withDefaults: input?.withDefaults ?? ((value: unknown) => value),
    stripUndeclared: output?.stripUndeclared ?? ((value: Json) => value),
    file,
    handler: `tools/${server}/${stem}.ts`,
  } as const);
  return { value: { tool, limits, problem }, problems, notices: findOversights(manifest) };

  function read(schema: JsonSchema, ...key: readonly string[]): CompiledSchema | undefined {
    const { compiled, problems: found } = readSchema(problem, key, schema, compile);
    problems.push(...found);
    return compiled;
  }
}

function checkRedact({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const checks = [createPointerCheck(content.input), createPointerCheck(content.output)];
  return (content.redact ?? []).flatMap((pointer, index) => {
    if (checks.some((check) => check(pointer))) return [];
    const message = `\`${pointer}\` leads to nothing that the input or output schema speaks of.`;
    const fix = "Name a property by its path from the root, such as `/location`.";
    return [problem("redact-pointer", ["redact", index], message, fix)];
  });
}

function readRecord(record: NonNullable<ToolContent["record"]>): Pick<Tool, "record" | "tape" | "recordDays"> {
  if (typeof record === "boolean") return { record, tape: false };
  const { tape = false, days } = record;
  return { record: true, tape, ...(days === undefined ? {} : { recordDays: days }) };
}

/** Checks what a tool declares besides its schemas. */
function checkDeclared(manifest: Manifest<ToolContent>): readonly Problem[] {
  return [
    ...checkPromises(manifest),
    ...checkInteractive(manifest),
    ...checkHeaders(manifest),
    ...checkSecrets(manifest),
    ...checkApproval(manifest),
    ...checkDays(manifest.content.deprecated, ["deprecated"], manifest.problem),
  ];
}

const EMPTY: readonly never[] = Object.freeze([]);
const SECRET = { of: "service", format: "{}" } as const;
const FREE: Tool["cost"] = Object.freeze({ units: 0 });
const accept = () => EMPTY;

/**
 * Checks that a call can be shown whole to who approves it: what `redact` masks would be approved unseen, and would have to
 * be kept until then.
 */
function checkApproval({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const { approval, redact = [], interactive = false } = content;
  if (approval === undefined) return [];
  const problems: Problem[] = [];
  if (redact.length > 0) {
    const message = "Who approves a call must see all of it, but `redact` hides parts.";
    problems.push(problem("approval-invalid", ["redact"], message, "Remove `redact`, or `approval`."));
  }
  if (interactive) {
    const message = "A call that waits for its approval has nobody to ask when it runs, but the tool is `interactive`.";
    problems.push(problem("approval-invalid", ["interactive"], message, "Remove `interactive`, or `approval`."));
  }
  return problems;
}
