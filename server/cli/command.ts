import type { Readable } from "node:stream";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import type { Environment } from "../config/config.ts";

/** What a command touches of the process around it. */
export interface Surroundings {
  readonly environment: Environment;
  readonly folder: string;
  /** Standard input, begun to be read only when a command wants it. */
  readonly input: () => Readable;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Whether people read what is printed, and control characters would reach their terminal. */
  readonly isTerminal?: boolean;
  readonly now: () => number;
  /** Resolves when the process is asked to end. */
  readonly stopped: () => Promise<void>;
}

export type Command = CommandDef<ArgsDef>;

/** A command's module: what `cairn <name>` is, given its surroundings. Its `run` answers with an exit code. */
export type CreateCommand = (surroundings: Surroundings) => Command;

export function createCommand<const Args extends ArgsDef>(definition: CommandDef<Args>): Command {
  return defineCommand(definition) as unknown as Command;
}
