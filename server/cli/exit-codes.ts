/** Exit codes of the `cairn` command; `docs/cli.md` has them in a table. */
export const EXIT = {
  /** Success. */
  OK: 0,
  /** Negative answer of a command that ran: problems found, a call that failed. */
  FAILED: 1,
  /** The command line or the configuration is wrong; nothing was done. */
  USAGE: 2,
  /** The surroundings are wrong: another Node, no git, a port in use, no service listening. */
  ENVIRONMENT: 3,
  /** `cairn drift` found sources that are others than what was imported of them. */
  DRIFTED: 4,
  /** `cairn replay` could compare no call at all, so nothing is known. */
  UNCOMPARED: 5,
} as const;
