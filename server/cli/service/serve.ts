import { resolve } from "node:path";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { Version } from "../../versions/version.ts";
import { refreshTypes } from "../versions/refresh-types.ts";
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

/** `cairn dev [checkout]`: its tags, and its uncommitted files as version `dev`. */
export const createDevCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "dev", description: "Serve, and the uncommitted work tree besides, as version `dev`" },
    args: {
      checkout: { type: "positional", required: false, default: ".", description: "The checkout to serve and follow" },
      ...SERVICE_OPTIONS,
    },
    async run({ args }) {
      const workTree = resolve(context.folder, args.checkout);
      // Types that somebody has once asked for follow the manifests.
      const onWorkTree = async (version: Version) => {
        await refreshTypes(workTree, version, version.servers.keys(), { hasFiles: true });
      };
      await runService(context, { ...args, command: "dev", workTree, onWorkTree });
      return EXIT.OK;
    },
  });
