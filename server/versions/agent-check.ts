/** A command of the repository's own that has to go well before a change of it may land. */
export interface AgentCheck {
  readonly name: string;
  /** A program by its bare name, and its arguments. */
  readonly command: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
}
