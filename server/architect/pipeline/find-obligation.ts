import type { Level } from "../../semver/level.ts";
import { isAtLeast } from "../../semver/level.ts";
import type { Policy } from "../../versions/policy.ts";
import { matchesPath } from "../../versions/matches-path.ts";

/** What a change may touch at all. */
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
 * What always needs somebody's approval, whatever policies say: who may do what, what runs with the rights of the
 * repository, and who may sign. Without it one piece of feedback could do away with all that guards the next.
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
  /** Why somebody has to approve the change, in whole sentences; none: nobody has to. */
  readonly reasons: readonly string[];
  /** Whether that must be somebody else than who asked for it, whatever the policies say. */
  readonly isStrict: boolean;
  /** Whether the policies let whoever made a change approve it otherwise. */
  readonly allowsSelf: boolean;
}

/**
 * Whether somebody has to approve a change that needs a bump of `level`, by the policies of what it changes; or because of
 * `concerns` about the changes after it, or `doubts` about whether it is what the sender wants.
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

function matchesAny(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => matchesPath(glob, path));
}
