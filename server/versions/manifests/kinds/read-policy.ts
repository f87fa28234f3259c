import type { CallLimits } from "../../../allowance.ts";
import type { Policy } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import type { FileRead } from "./file-read.ts";

export interface PolicyContent {
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly egress?: readonly string[];
  readonly limits?: CallLimits;
  readonly retirement?: { readonly quietDays: number };
}

export interface PolicyFile {
  readonly policy: Policy;
  /** Whether the file says anything about hosts: an empty list allows none, no list leaves them to other files. */
  readonly limitsEgress: boolean;
  readonly problem: Manifest<PolicyContent>["problem"];
}

export function readPolicy(name: string, { file, content, problem }: Manifest<PolicyContent>): FileRead<PolicyFile> {
  const { roles = {}, egress, limits = {}, retirement } = content;
  const granted = new Map(Object.entries(roles));
  const policy = Object.freeze({ name, roles: granted, egress: egress ?? [], limits, ...retirement, file });
  return { value: { policy, limitsEgress: egress !== undefined, problem }, problems: [] };
}
