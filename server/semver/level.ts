/** Levels of bumps, smallest first. */
export const LEVELS = ["none", "patch", "minor", "major"] as const;

export type Level = (typeof LEVELS)[number];

export function isAtLeast(level: Level, other: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(other);
}

export function largest(levels: Iterable<Level>): Level {
  let most: Level = "none";
  for (const level of levels) if (isAtLeast(level, most)) most = level;
  return most;
}
