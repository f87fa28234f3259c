import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { runService, SERVICE_OPTIONS } from "./run-service.ts";

/** `cairn serve [repository]`: until it is asked to end. */
export const createServeCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "serve", description: "Serve every tagged commit of a repository" },
    args: {
      repository: {
        type: "positional",
        required: false,
        description: "Path or URL (default: CAIRN_REPO, or an embedded repository begun from this checkout's history)",
      },
      ...SERVICE_OPTIONS,
    },
    async run({ args }) {
      await runService(context, { ...args, command: "serve", repository: args.repository });
      return EXIT.OK;
    },
  });
