import { stripVTControlCharacters } from "node:util";
import { renderUsage, runCommand } from "citty";
import { CairnError } from "../errors.ts";
import { isColoured } from "../log/pretty.ts";
import { printableLines } from "../text/printable.ts";
import { findUnknownOption, refuseSurplus, toHint } from "./check-arguments.ts";
import { type CliContext, type Command, createCommand, type CreateCommand, version } from "./command.ts";
import { EXIT } from "./exit-codes.ts";

/** Loaded when asked for, so that `--help` need not load the service. */
const COMMANDS: Readonly<
  Record<string, { readonly description: string; readonly load: () => Promise<CreateCommand> }>
> = {
  init: {
    description: "Make a repository of your own: a tool, its example, its workflow",
    load: async () => (await import("./init.ts")).createInitCommand,
  },
  add: {
    description: "Add a server that ships with Cairn to the repository here",
    load: async () => (await import("./add.ts")).createAddCommand,
  },
  serve: {
    description: "Serve every tagged commit of a repository",
    load: async () => (await import("./service/serve.ts")).createServeCommand,
  },
  dev: {
    description: "Serve, and the uncommitted work tree besides, as version `dev`",
    load: async () => (await import("./service/serve.ts")).createDevCommand,
  },
  import: {
    description: "Make tools of what others serve or describe already, and renew them",
    load: async () => (await import("./import/import.ts")).createImportCommand,
  },
  drift: {
    description: "Say what has changed at the sources of imports, renew them, or propose that",
    load: async () => (await import("./drift/drift.ts")).createDriftCommand,
  },
  deps: {
    description: "Bundle packages of npm for handlers, and freeze them with the version",
    load: async () => (await import("./packages/deps.ts")).createDepsCommand,
  },
  validate: {
    description: "Check a folder or a commit, and say everything that is wrong with it",
    load: async () => (await import("./versions/validate.ts")).createValidateCommand,
  },
  test: {
    description: "Run every example of a folder or a commit as a contract test",
    load: async () => (await import("./versions/test.ts")).createTestCommand,
  },
  types: {
    description: "Write TypeScript types of tools for their handlers, or a typed client of a version",
    load: async () => (await import("./versions/types.ts")).createTypesCommand,
  },
  diff: {
    description: "Say how two versions differ, and which bump that needs",
    load: async () => (await import("./versions/diff.ts")).createDiffCommand,
  },
  bump: {
    description: "Write a change fragment, or raise `current`, by what changed since the last tag",
    load: async () => (await import("./versions/bump.ts")).createBumpCommand,
  },
  surface: {
    description: "Print everything of a version that a client can see or depend on",
    load: async () => (await import("./versions/surface.ts")).createSurfaceCommand,
  },
  mend: {
    description: "Put versions.yaml together after a merge of two lines of versions",
    load: async () => (await import("./versions/mend.ts")).createMendCommand,
  },
  yank: {
    description: "Write into versions.yaml that a version is no longer served, from today on",
    load: async () => (await import("./retirement/yank.ts")).createYankCommand,
  },
  release: {
    description: "Gather change fragments, check what is checked out, tag it, print release notes",
    load: async () => (await import("./versions/release.ts")).createReleaseCommand,
  },
  replay: {
    description: "Run recorded calls of a version with another one, and say what differs",
    load: async () => (await import("./versions/replay.ts")).createReplayCommand,
  },
  tune: {
    description: "Compare what experiments run with and their defaults, and make it the defaults",
    load: async () => (await import("./tune/tune.ts")).createTuneCommand,
  },
  usage: {
    description: "Say who calls a version, and whether it can be retired",
    load: async () => (await import("./retirement/usage.ts")).createUsageCommand,
  },
  versions: {
    description: "List the versions that a running service serves",
    load: async () => (await import("./client/versions.ts")).createVersionsCommand,
  },
  call: {
    description: "Call a tool of a running service",
    load: async () => (await import("./client/call.ts")).createCallCommand,
  },
  forge: {
    description: "Show the rules by which changes of the repository land",
    load: async () => (await import("./service/forge.ts")).createForgeCommand,
  },
  feedback: {
    description: "Tell the Architect of a running service what should be otherwise",
    load: async () => (await import("./client/feedback.ts")).createFeedbackCommand,
  },
  worker: {
    description: "Do tasks of a running service: claim them, do their steps, tell how they came out",
    load: async () => (await import("./work/worker.ts")).createWorkerCommand,
  },
  work: {
    description: "Ask a running service for work, follow it, approve it",
    load: async () => (await import("./work/work.ts")).createWorkCommand,
  },
  report: {
    description: "Report to a running service how the tests of a version came out elsewhere",
    load: async () => (await import("./client/report.ts")).createReportCommand,
  },
  connect: {
    description: "Print what clients need to use a version",
    load: async () => (await import("./client/connect.ts")).createConnectCommand,
  },
  secret: {
    description: "Set, list and remove your own secrets, with which tools act for you",
    load: async () => (await import("./client/secret.ts")).createSecretCommand,
  },
  audit: {
    description: "Read, export and verify the audit logs",
    load: async () => (await import("./audit/audit.ts")).createAuditCommand,
  },
  store: {
    description: "Move the store of a stopped service into a database, or back",
    load: async () => (await import("./service/store.ts")).createStoreCommand,
  },
  state: {
    description: "List, show, export, import, move and delete what tools keep",
    load: async () => (await import("./state/state.ts")).createStateCommand,
  },
  stdio: {
    description: "Speak MCP on standard input and output, for desktop clients",
    load: async () => (await import("./stdio/stdio.ts")).createStdioCommand,
  },
  version: {
    description: "Print the version of Cairn",
    load: async () => createVersionCommand,
  },
  backup: {
    description: "Copy everything in a data folder, whether or not a service runs on it",
    load: async () => (await import("./service/backup.ts")).createBackupCommand,
  },
  restore: {
    description: "Make a data folder of a backup, or look whether a backup is whole",
    load: async () => (await import("./service/restore.ts")).createRestoreCommand,
  },
  doctor: {
    description: "Check configuration, data folder, repository and machine, and say what to do",
    load: async () => (await import("./service/doctor.ts")).createDoctorCommand,
  },
  token: {
    description: "Make, list and revoke API tokens of a service",
    load: async () => (await import("./service/token.ts")).createTokenCommand,
  },
};

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

/** `cairn version`: its number alone, for people and scripts. */
const createVersionCommand: CreateCommand = ({ out }) =>
  createCommand({
    meta: { name: "version", description: "Print the version of Cairn" },
    run: () => {
      out(version);
      return EXIT.OK;
    },
  });

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
