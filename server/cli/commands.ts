import { createCommand, type CreateCommand, version } from "./command.ts";
import { EXIT } from "./exit-codes.ts";

/** `cairn version`: its number alone, for people and scripts. */
const createVersionCommand: CreateCommand = ({ out }) =>
  createCommand({
    meta: { name: "version", description: "Print the version of Cairn" },
    run: () => {
      out(version);
      return EXIT.OK;
    },
  });

/** The commands by their names. Each is loaded when asked for, so that `--help` need not load the service. */
export const COMMANDS: Readonly<
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
  yank: {
    description: "Write into versions.yaml that a version is no longer served, from today on",
    load: async () => (await import("./retirement/yank.ts")).createYankCommand,
  },
  mend: {
    description: "Put versions.yaml together after a merge of two lines of versions",
    load: async () => (await import("./versions/mend.ts")).createMendCommand,
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
  state: {
    description: "List, show, export, import, move and delete what tools keep",
    load: async () => (await import("./state/state.ts")).createStateCommand,
  },
  store: {
    description: "Move the store of a stopped service into a database, or back",
    load: async () => (await import("./service/store.ts")).createStoreCommand,
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
