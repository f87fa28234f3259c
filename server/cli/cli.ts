import { stripVTControlCharacters } from "node:util";
import { renderUsage, runCommand } from "citty";
import { CairnError } from "../errors.ts";
import { isColoured } from "../log/pretty.ts";
import { printableLines } from "../text/printable.ts";
import { findUnknownOption, refuseSurplus, toHint } from "./check-arguments.ts";
import { type CliContext, type Command, createCommand, version } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT } from "./exit-codes.ts";

/** Runs one command line and answers with the exit code. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  const { out, err } = context;
  // As most programs have it.
  const [name, ...words] = argv[0] === "--version" || argv[0] === "-v" ? ["version", ...argv.slice(1)] : argv;
  const root = createRoot(context);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    out(await toUsage(context, root));
    return name === undefined ? EXIT.USAGE : EXIT.OK;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) {
    err(`cairn: there is no command \`${name}\`; there are ${Object.keys(COMMANDS).join(", ")}.`);
    return EXIT.USAGE;
  }
  const { command, rest } = findPart((await entry.load())({ ...context, runCommand: runCli }), words);
  if (rest.includes("--help") || rest.includes("-h")) {
    out(await toUsage(context, command, root));
    return EXIT.OK;
  }
  const parts = Object.keys(command.subCommands ?? {});
  if (parts.length > 0 && command.run === undefined) {
    err(`cairn: \`cairn ${name}\` is followed by one of ${parts.join(", ")}.`);
    return EXIT.USAGE;
  }
  const unknown = findUnknownOption(command, rest);
  if (unknown !== undefined) {
    err(`cairn: \`cairn ${name}\` has no option \`${unknown}\`; ${toHint(command, name, unknown)}`);
    return EXIT.USAGE;
  }
  try {
    refuseSurplus(command, name, rest);
    // The parser would take a first argument for the name of a part.
    const { subCommands: _parts, ...alone } = command;
    const { result } = await runCommand(alone, { rawArgs: [...rest] });
    return typeof result === "number" ? result : EXIT.OK;
  } catch (error) {
    if (error instanceof CairnError) {
      // Services and repositories are quoted.
      err(`cairn: ${printableLines(error.message)}`);
      return error.name === "UNAVAILABLE" ? EXIT.ENVIRONMENT : error.name === "BAD_REQUEST" ? EXIT.USAGE : EXIT.FAILED;
    }
    if (error instanceof Error && error.name === "CLIError") {
      const message = stripVTControlCharacters(error.message).replace(/\.$/, "");
      err(`cairn: ${message}; \`cairn ${name} --help\` says more.`);
      return EXIT.USAGE;
    }
    throw error;
  }
}

/** The usage of a command. citty colours it whoever reads it; colours in a file or a pipe are noise. */
async function toUsage({ environment, isTerminal }: CliContext, ...[command, parent]: [Command, Command?]) {
  const usage = await renderUsage(command, parent);
  return isColoured(environment, isTerminal === true) ? usage : stripVTControlCharacters(usage);
}

/** The command itself, or that of its parts which its first word names. */
function findPart(command: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  const [name = "", ...rest] = words;
  const parts = (command.subCommands ?? {}) as Readonly<Record<string, Command>>;
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  return part === undefined ? { command, rest: words } : { command: part, rest };
}

function createRoot(context: CliContext): Command {
  return createCommand({
    meta: {
      name: "cairn",
      version,
      description:
        "Serves every tagged commit of a repository of agent tools, each under an address that never changes",
    },
    subCommands: Object.fromEntries(
      Object.entries(COMMANDS).map(([name, { description, load }]) => [
        name,
        { meta: { name, description }, run: async () => (await load())({ ...context, runCommand: runCli }) },
      ]),
    ),
  });
}
