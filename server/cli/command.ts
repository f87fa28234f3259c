import type { Readable } from "node:stream";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import type { Environment } from "../config/config.ts";
import { RELEASE } from "../config/optional-package.ts";

/** The release of Cairn that this is. */
export const version = RELEASE;

/** The part of its process that a command may use: environment, folder, streams, clock and the wish to stop. */
export interface CliContext {
  readonly environment: Environment;
  readonly folder: string;
  /** Standard input, begun to be read only when a command wants it. */
  readonly input: () => Readable;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** True if the output goes to a terminal, which would interpret control characters. */
  readonly isTerminal?: boolean;
  readonly now: () => number;
  /** Resolves when the process is asked to end. */
  readonly stopped: () => Promise<void>;
}

/** A context that can run further commands, each as a person could by hand. */
export interface CommandContext extends CliContext {
  readonly runCommand: (argv: readonly string[], context: CliContext) => Promise<number>;
}

export type Command = CommandDef<ArgsDef>;

/** Creates the command `cairn <name>`. Its `run` returns an exit code of `EXIT`. */
export type CreateCommand = (context: CommandContext) => Command;

export function createCommand<const Args extends ArgsDef>(definition: CommandDef<Args>): Command {
  return defineCommand(definition) as unknown as Command;
}
