import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, parseArgs, renderUsage, runCommand } from "citty";
import { CairnError } from "../errors.ts";
import { isColoured } from "../log/pretty.ts";
import { printableLines } from "../text/printable.ts";
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

/** Refuses arguments that no command reads: the parser ignores them, so a second version to check would pass unread. @throws BAD_REQUEST */
function refuseSurplus(command: Command, name: string, rest: readonly string[]): void {
  const args = (command.args ?? {}) as ArgsDef;
  const positional = Object.values(args).filter(({ type }) => type === "positional");
  if (positional.some(({ valueHint }) => valueHint?.endsWith("...") === true)) return;
  const most = positional.length;
  const surplus = parseArgs([...rest], args)._[most];
  if (surplus === undefined) return;
  // It may be the secret itself, which logs of a terminal or of a pipeline would keep.
  const shown = name === "secret" ? "what follows" : `\`${surplus.slice(0, 100)}\``;
  const takes = most === 0 ? "no arguments" : most === 1 ? "one argument" : `at most ${most} arguments`;
  throw new CairnError(
    "BAD_REQUEST",
    `\`cairn ${name}\` takes ${takes}, and ${shown} is one too many; text with spaces needs quotes.`,
  );
}

/** Finds an option that nobody declared: the parser takes it, so a typing mistake would be silently ignored. */
function findUnknownOption(command: Command, rest: readonly string[]): string | undefined {
  const known = new Set(
    Object.entries((command.args ?? {}) as ArgsDef).flatMap(([name, definition]) => {
      if (definition.type === "positional") return [];
      const alias = "alias" in definition ? (definition.alias ?? []) : [];
      return [name, ...(definition.type === "boolean" ? [`no-${name}`] : []), ...[alias].flat()];
    }),
  );
  const end = rest.indexOf("--");
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .filter((argument) => /^-{1,2}[a-zA-Z]/.test(argument))
    .find((argument) => !known.has(argument.replace(/^-+/, "").split("=")[0] ?? ""));
}

/** Says what to do about an unknown option. Every user of a machine can read the arguments of all its programs, so a token is none. */
function toHint({ args = {} }: Command, name: string, unknown: string): string {
  return unknown.startsWith("--token") && "token-file" in args
    ? "a token comes in CAIRN_TOKEN or by `--token-file`, where others cannot read it."
    : `\`cairn ${name} --help\` lists them.`;
}
