import type { Level } from "../../semver/level.ts";
import { isAtLeast } from "../../semver/level.ts";
import type { Policy } from "../../versions/policy.ts";
import { matchesPath } from "../../versions/matches-path.ts";

/** Files that a change may touch. */
const ALLOWED: readonly string[] = [
  "manifests/**",
  "tools/**",
  "schemas/**",
  "test/**",
  "docs/**",
  "versions.yaml",
  ".github/**",
];
/**
 * Files whose change needs an approval regardless of policies: access rights, code that runs with the rights of the
 * repository, and signers. Otherwise one piece of feedback could remove every guard against the next.
 */
const PROTECTED: readonly string[] = ["manifests/policies/**", ".github/**", "**/allowed_signers", "**/CODEOWNERS"];

/** Files that no change of the Architect may touch. */
export function findStrays(paths: Iterable<string>): readonly string[] {
  return [...paths].filter((path) => !matchesAny(ALLOWED, path));
}

export function nameAllowed(): string {
  return ALLOWED.map((glob) => `\`${glob}\``).join(", ");
}

export interface Obligation {
  /** Reasons why a person has to approve the change, in whole sentences; empty where none has to. */
  readonly reasons: readonly string[];
  /** True if the approver must not be the sender, regardless of the policies. */
  readonly isStrict: boolean;
  /** True if the policies otherwise let the author of a change approve it. */
  readonly allowsSelf: boolean;
}

/**
 * Finds out whether a person has to approve a change that needs a bump of `level`: by the policies of the changed parts,
 * because of `concerns` about later changes, or because of `doubts` about the sender's intention.
 */
export function findObligation(
  policies: readonly Policy[],
  level: Level,
  paths: readonly string[],
  { concerns = [], doubts = [] }: { readonly concerns?: readonly string[]; readonly doubts?: readonly string[] } = {},
): Obligation {
  const rules = policies.flatMap(({ architect }) => architect ?? []);
  const most = (["none", "patch", "minor"] as const).find((one) => rules.some(({ merge }) => merge === one)) ?? "minor";
  const strict = paths.filter((path) => matchesAny(PROTECTED, path));
  const guarded = paths.filter((path) =>
    matchesAny(
      rules.flatMap((rule) => rule.protected),
      path,
    ),
  );
  const reasons: string[] = [];
  if (level === "major") reasons.push("It is a major change: callers of what it takes away would fail.");
  else if (!isAtLeast(most, level))
    reasons.push(`It is a ${level} change, and the policies let at most ${most} land by itself.`);
  const files = [...new Set([...strict, ...guarded])];
  if (files.length > 0)
    reasons.push(`It changes ${files.map((path) => `\`${path}\``).join(", ")}, which is protected.`);
  const allowsSelf = policies.some(({ allowsSelfApproval }) => allowsSelfApproval === true);
  reasons.push(...concerns, ...doubts);
  return { reasons, isStrict: strict.length + concerns.length + doubts.length > 0, allowsSelf };
}

/**
 * Finds the reasons why people land a change that renews an import: its words are a stranger's, so nothing of it lands by itself but
 * where every policy with rules for the Architect says so, and no such policy asks for an approval.
 */
export function findRenewalObligation(
  policies: readonly Policy[],
  level: Level,
  { reasons }: Obligation,
): readonly string[] {
  const rules = policies.flatMap(({ architect }) => architect ?? []);
  const most =
    (["none", "patch", "minor"] as const).find((one) => rules.some(({ drift = "none" }) => drift === one)) ?? "none";
  if (isAtLeast(most, level)) return reasons;
  const may = most === "none" ? "let no change of an import" : `let at most a ${most} change of an import`;
  return [`It is a ${level} change, and the policies ${may} land by itself.`, ...reasons];
}

function matchesAny(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => matchesPath(glob, path));
}
