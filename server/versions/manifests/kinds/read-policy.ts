import type { Policy } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import type { FileRead } from "./file-read.ts";

export interface PolicyContent {
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly egress?: readonly string[];
}

export interface PolicyFile {
  readonly policy: Policy;
  /** Whether the file says anything about hosts: an empty list allows none, no list leaves them to other files. */
  readonly limitsEgress: boolean;
}

export function readPolicy(name: string, { file, content }: Manifest<PolicyContent>): FileRead<PolicyFile> {
  const { roles = {}, egress } = content;
  const policy = Object.freeze({ name, roles: new Map(Object.entries(roles)), egress: egress ?? [], file });
  return { value: { policy, limitsEgress: egress !== undefined }, problems: [] };
}
