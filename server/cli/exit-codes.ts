/** What the `cairn` command ends with; `docs/cli.md` has the same table. */
export const EXIT = {
  /** It worked. */
  OK: 0,
  /** What was asked for was done and its answer is no: problems found, a call that failed. */
  FAILED: 1,
  /** The command line or the configuration is wrong; nothing was done. */
  USAGE: 2,
  /** The surroundings are wrong: another Node, no git, a port in use, no service listening. */
  ENVIRONMENT: 3,
} as const;
