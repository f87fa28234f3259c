/** One process that has a database open which several share. */
export interface Member {
  /** Identifier of its data folder, which it keeps for ever. */
  readonly id: string;
  /** Identifier of this opening: another one after each start. */
  readonly opening: string;
  /** Words by which people know it. */
  readonly label: string;
  /** Base URL at which other nodes reach it; absent for a command, which answers nobody. */
  readonly address?: string;
  /** Version of Cairn that it runs. */
  readonly release: string;
  /** Milliseconds since 1970, by the database's clock. */
  readonly startedAt: number;
}

/**
 * Processes that share a database. One that is listed may still write; one that is not listed any more never can again, not
 * even a commit that is on its way.
 */
export interface Members {
  readonly self: Member;
  /** Identifier of the member that has what is in one place only, such as workspaces; absent: whoever is asked for it first. */
  readonly home?: string;
  /** Loads who is a member at this moment. */
  list(): Promise<readonly Member[]>;
}
