import type { CallLimits } from "../config/allowance.ts";
import type { JsonSchema } from "../host-api.ts";
import type { Check } from "../json/types.ts";

export interface Policy {
  readonly name: string;
  /** Role name to the capabilities it grants; `tool:*` grants by prefix. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** Hosts that tools of this tree may name under `egress`. */
  readonly egress: readonly string[];
  readonly limits: CallLimits;
  /** Days without a call before a version may be retired. */
  readonly quietDays?: number;
  /** Days from the announcement of an end to the end that callers have at least; absent: as `NOTICE_DAYS`. */
  readonly noticeDays?: number;
  /** Commands that runs of this tree may execute in their sandbox. */
  readonly commands: readonly AllowedCommand[];
  /** True if the owner of the worker that did a run may approve it; absent: false. */
  readonly allowsSelfApproval?: boolean;
  /** True if a run passes its gate although declared checks or examples of it were not tried; absent: false. */
  readonly allowsSkippedChecks?: boolean;
  /** Calls that wait for a second person, besides those that their tools' manifests name; absent: none. */
  readonly calls?: readonly CallApproval[];
  /** Rules for changes by the Architect; absent: this policy has none. */
  readonly architect?: ArchitectRules;
  /** True if no version after this one may accept a break that its number does not say; absent: false. */
  readonly forbidsBreaks?: boolean;
  /** Revocations for every version, where the default branch declares them; absent: none. */
  readonly revoke?: Revoked;
  readonly file: string;
}

/** Approval by a second person that calls of a tool need, by the manifest of the tool or by a policy. */
export interface Approval {
  /** Schema of the inputs that need it. */
  readonly when: JsonSchema;
  /** Role that who approves must have by this name. */
  readonly by: string;
  /** Seconds from the call in which it can be approved and begin to run. */
  readonly expiresSeconds: number;
  /** Returns what keeps an input, with its defaults, from needing it; `[]`: it needs it. */
  readonly check: Check;
  /** The manifest that declares it, and its path there. */
  readonly file: string;
  readonly path: readonly (string | number)[];
}

/** Approval that a policy asks for calls of tools. */
export interface CallApproval {
  /** Full names of tools, or beginnings of them with `*` at the end. */
  readonly tools: readonly string[];
  readonly approval: Approval;
}

/**
 * Ceiling of a commit that no served tag leads to. No one has reviewed its policies, so they count only as far as those
 * of the default branch's newest served version do.
 */
export interface Ceiling {
  readonly policies: readonly Policy[];
  /** Entries as under `egress`. */
  readonly hosts: readonly string[];
}

export interface ArchitectRules {
  /** The largest bump that lands without anybody's approval. */
  readonly merge: "none" | "patch" | "minor";
  /** The largest bump that lands by itself of a change that renews an import; absent: none does. */
  readonly drift?: "none" | "patch" | "minor";
  /** Globs of files that need somebody's approval, besides those that always do. */
  readonly protected: readonly string[];
}

/** Rights that every version loses at once, regardless of its policies. */
export interface Revoked {
  /** Roles that grant nothing any more. */
  readonly roles: readonly string[];
  /** Capabilities that nobody holds any more, or beginnings of them with `*` at the end. */
  readonly capabilities: readonly string[];
  /** Hosts that neither tools nor commands reach any more, as under `egress`; no port means every port. */
  readonly hosts: readonly string[];
  readonly commands: readonly RevokedCommand[];
  /** Names of secrets that no request carries any more, of every owner. */
  readonly secrets: readonly string[];
}

/** A program that runs may not execute any more: with these first arguments, or at all where there are none. */
export type RevokedCommand = Pick<AllowedCommand, "program" | "arguments">;

export interface AllowedCommand {
  /** A bare name, without a path. */
  readonly program: string;
  /** Exact first arguments of the command; others may follow. None: any, except for a shell, which then is not allowed. */
  readonly arguments: readonly string[];
  /** Hosts that it may reach with these arguments, as under `egress`; none: no network. */
  readonly hosts: readonly string[];
}
