import type { CallLimits } from "../../../allowance.ts";
import type { AllowedCommand, Policy } from "../../policy.ts";
import { deepFreeze } from "../deep-freeze.ts";
import type { Manifest } from "../manifest.ts";
import type { FileRead } from "./file-read.ts";

export interface PolicyContent {
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly egress?: readonly string[];
  readonly limits?: CallLimits;
  readonly retirement?: { readonly quietDays: number };
  readonly commands?: readonly (Pick<AllowedCommand, "program"> & Partial<AllowedCommand>)[];
  readonly approvals?: { readonly self: boolean };
}

export interface PolicyFile {
  readonly policy: Policy;
  /** Whether the file says anything about hosts: an empty list allows none, no list leaves them to other files. */
  readonly limitsEgress: boolean;
  readonly problem: Manifest<PolicyContent>["problem"];
}

export function readPolicy(name: string, { file, content, problem }: Manifest<PolicyContent>): FileRead<PolicyFile> {
  const { roles = {}, egress, limits = {}, retirement, commands = [], approvals } = content;
  const policy = Object.freeze({
    name,
    roles: new Map(Object.entries(roles)),
    egress: egress ?? [],
    limits,
    ...retirement,
    commands: deepFreeze(commands.map((command) => ({ arguments: [], hosts: [], ...command }))),
    allowsSelfApproval: approvals?.self ?? false,
    file,
  });
  return { value: { policy, limitsEgress: egress !== undefined, problem }, problems: [] };
}
