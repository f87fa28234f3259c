import type { JsonSchema } from "../../../host-api.ts";
import type { Syscall } from "../../../capabilities/declarations.ts";
import type { ToolSecret } from "../../secret.ts";
import type { DeprecationContent } from "../../retirement/deprecation.ts";
import type { ApprovalContent } from "./read-approval.ts";
import type { Example, Limits, Tool } from "../../version.ts";

/** An entry of `secrets`: without `of` and `format` they are `service` and `{}`. */
export type SecretContent = Omit<ToolSecret, "of" | "format"> & Partial<Pick<ToolSecret, "of" | "format">>;

/** A tool's manifest, as its schema allows it. */
export interface ToolContent {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
  readonly description: string;
  readonly deprecated?: DeprecationContent;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly deterministic?: boolean;
  readonly sideEffect?: boolean;
  readonly idempotent?: boolean;
  readonly cost?: Tool["cost"];
  readonly requiredCapabilities?: readonly string[];
  readonly approval?: ApprovalContent;
  readonly tenantScoped?: boolean;
  readonly session?: "stateless" | "stateful";
  readonly interactive?: boolean;
  readonly uses?: readonly Syscall[];
  readonly egress?: readonly string[];
  readonly upstreams?: readonly string[];
  readonly secrets?: readonly SecretContent[];
  readonly parameters?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly redact?: readonly string[];
  readonly record?: boolean | { readonly tape?: boolean; readonly days?: number };
  readonly examples?: readonly Example[];
}
