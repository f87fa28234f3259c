import { BUMP_RULES, type BumpRule } from "../bump-rules.ts";
import type { Finding } from "../finding.ts";
import type { Level } from "../level.ts";

/** Bumps of changes that only servers of others can have, beside those of `BUMP_RULES`. `docs/surfaces.md` has this table. */
export const SURFACE_RULES = {
  "server-renamed": { level: "patch", why: "Clients know a server by its address; its name is for reading." },
  "protocol-changed": { level: "major", why: "Clients of the other way to connect cannot connect." },
  "revision-changed": { level: "patch", why: "Both sides agree on a revision when they connect." },
  "feature-removed": { level: "major", why: "Clients that use it are refused, or wait in vain." },
  "feature-added": { level: "minor", why: "Nobody could depend on it." },
  "output-declared": { level: "minor", why: "Results promise more." },
  "output-undeclared": { level: "major", why: "Clients that read structured results cannot rely on any." },
  "destructive-gained": { level: "major", why: "Clients that call it without asking may destroy something." },
  "destructive-lost": { level: "minor", why: "It only adds now." },
  "open-world-gained": { level: "major", why: "Clients that trust what comes from the server get what others wrote." },
  "open-world-lost": { level: "minor", why: "It stays within the server now." },
  "task-required": { level: "major", why: "Calls that are not tasks are refused." },
  "task-refused": { level: "major", why: "Calls that are tasks are refused." },
  "task-allowed": { level: "minor", why: "More ways of calling are taken." },
} as const satisfies Readonly<Record<string, { readonly level: Level; readonly why: string }>>;

export type SurfaceRule = keyof typeof SURFACE_RULES;

/** One way in which two surfaces differ. The place is a path in a saved surface. */
export interface SurfaceFinding extends Omit<Finding, "rule" | "server" | "isPolicy" | "of" | "member" | "accepted"> {
  readonly rule: BumpRule | SurfaceRule;
}

/** Creates a finding with the bump that its rule needs. `path` leads into the surface of that side. */
export function createSurfaceFinding(
  rule: BumpRule | SurfaceRule,
  message: string,
  side: "before" | "after",
  path: readonly string[],
  about: Pick<SurfaceFinding, "tool"> = {},
): SurfaceFinding {
  const { level } = { ...BUMP_RULES, ...SURFACE_RULES }[rule];
  return Object.freeze({ rule, level, ...about, message, place: { side, file: "", path } });
}
