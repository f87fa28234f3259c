import type { CallLimits } from "../config/allowance.ts";

export interface Policy {
  readonly name: string;
  /** Role name to the capabilities it grants; `tool:*` grants by prefix. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** Hosts that tools of this tree may name under `egress`. */
  readonly egress: readonly string[];
  readonly limits: CallLimits;
  /** Days without a call before a version may be retired. */
  readonly quietDays?: number;
  /** What runs of this tree may execute in their sandbox. */
  readonly commands: readonly AllowedCommand[];
  /** Whether whoever's worker did a run may approve it; absent: not. */
  readonly allowsSelfApproval?: boolean;
  /** How changes of the Architect come about; absent: this policy does not say. */
  readonly architect?: ArchitectRules;
  /** What no version may use any more, where the default branch says it; absent: nothing. */
  readonly revoke?: Revoked;
  readonly file: string;
}

/**
 * What a commit may allow at most that no served tag leads to. Nobody has reviewed its policies, so they count only as far
 * as those of the default branch's newest served version do.
 */
export interface Ceiling {
  readonly policies: readonly Policy[];
  /** Entries as under `egress`. */
  readonly hosts: readonly string[];
}

export interface ArchitectRules {
  /** The largest bump that lands without anybody's approval. */
  readonly merge: "none" | "patch" | "minor";
  /** Globs of files that need somebody's approval, besides those that always do. */
  readonly protected: readonly string[];
}

/** What every version loses at once, whatever its own policies grant. */
export interface Revoked {
  /** Roles that grant nothing any more. */
  readonly roles: readonly string[];
  /** Capabilities that nobody holds any more, or beginnings of them with `*` at the end. */
  readonly capabilities: readonly string[];
  /** Hosts that neither tools nor commands reach any more, as under `egress`; no port means every port. */
  readonly hosts: readonly string[];
  readonly commands: readonly RevokedCommand[];
}

/** A program that runs may not execute any more: with these first arguments, or at all where there are none. */
export type RevokedCommand = Pick<AllowedCommand, "program" | "arguments">;

export interface AllowedCommand {
  /** A bare name, without a path. */
  readonly program: string;
  /** What its first arguments must be, exactly; others may follow. None: any, but for a shell, which then is not allowed. */
  readonly arguments: readonly string[];
  /** Hosts that it may reach with these arguments, as under `egress`; none: no network. */
  readonly hosts: readonly string[];
}
