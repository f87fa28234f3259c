import type { CallLimits } from "../../../config/allowance.ts";
import { findGlobMistake } from "../../matches-path.ts";
import type { AllowedCommand, ArchitectRules, CallApproval, Policy, Revoked, RevokedCommand } from "../../policy.ts";
import { NOTHING_REVOKED } from "../../revoked.ts";
import { deepFreeze } from "../deep-freeze.ts";
import type { Manifest } from "../manifest.ts";
import type { SchemaCompiler } from "../schema/schema-compiler.ts";
import type { FileRead } from "./file-read.ts";
import { type ApprovalContent, readApproval } from "./read-approval.ts";

export interface PolicyContent {
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly egress?: readonly string[];
  readonly limits?: CallLimits;
  readonly retirement?: Pick<Policy, "quietDays" | "noticeDays">;
  readonly commands?: readonly (Pick<AllowedCommand, "program"> & Partial<AllowedCommand>)[];
  readonly approvals?: {
    readonly self?: boolean;
    readonly skipped?: boolean;
    readonly calls?: readonly (ApprovalContent & Pick<CallApproval, "tools">)[];
  };
  readonly breaks?: { readonly accept: boolean };
  readonly architect?: Partial<ArchitectRules>;
  readonly revoke?: Partial<Omit<Revoked, "commands">> & {
    readonly commands?: readonly (Pick<RevokedCommand, "program"> & Partial<RevokedCommand>)[];
  };
}

export interface PolicyFile {
  readonly policy: Policy;
  /** True if the file limits hosts: an empty list allows none, no list leaves them to other files. */
  readonly limitsEgress: boolean;
  readonly problem: Manifest<PolicyContent>["problem"];
}

const DEFAULT_MERGE = "minor";

export function readPolicy(
  name: string,
  manifest: Manifest<PolicyContent>,
  compile: SchemaCompiler,
): FileRead<PolicyFile> {
  const { file, content, problem } = manifest;
  const { roles = {}, egress, limits = {}, retirement, commands = [], approvals, breaks, architect, revoke } = content;
  const calls = (approvals?.calls ?? []).map(({ tools, ...rest }, index) => ({
    tools,
    ...readApproval(manifest, ["approvals", "calls", index], rest, compile),
  }));
  const policy = Object.freeze({
    name,
    roles: new Map(Object.entries(roles)),
    egress: egress ?? [],
    limits,
    ...retirement,
    commands: deepFreeze(commands.map((command) => ({ arguments: [], hosts: [], ...command }))),
    allowsSelfApproval: approvals?.self ?? false,
    ...(approvals?.skipped === true ? { allowsSkippedChecks: true } : {}),
    ...(calls.length === 0 ? {} : { calls: Object.freeze(calls.map(({ tools, approval }) => ({ tools, approval }))) }),
    ...(breaks?.accept === false ? { forbidsBreaks: true } : {}),
    ...(architect === undefined
      ? {}
      : { architect: deepFreeze<ArchitectRules>({ merge: DEFAULT_MERGE, protected: [], ...architect }) }),
    ...(revoke === undefined ? {} : { revoke: toRevoked(revoke) }),
    file,
  });
  // A rule that silently matches nothing would leave what it names to anybody.
  const problems = (architect?.protected ?? []).flatMap((glob, index) => {
    const mistake = findGlobMistake(glob);
    if (mistake === undefined) return [];
    const fix = "Write `*` for any text within a part of the path, `**` for any parts.";
    return [problem("wrong-value", ["architect", "protected", index], `The path \`${glob}\` ${mistake}.`, fix)];
  });
  problems.push(...calls.flatMap((call) => call.problems));
  return { value: { policy, limitsEgress: egress !== undefined, problem }, problems };
}

function toRevoked({ commands = [], ...rest }: NonNullable<PolicyContent["revoke"]>): Revoked {
  return deepFreeze<Revoked>({
    ...NOTHING_REVOKED,
    ...rest,
    commands: commands.map(({ program, arguments: args = [] }) => ({ program, arguments: args })),
  });
}
