import { resolve } from "node:path";
import { writeClient } from "../../imports/types/write-client.ts";
import { formatProblems } from "../../versions/format-problems.ts";
import { CairnError } from "../../errors.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { NO_COMMIT, openTarget } from "./open-target.ts";
import { refreshTypes } from "./refresh-types.ts";
import { TARGET_OPTION } from "./target-options.ts";

/** `cairn types [ref|dir]`: types of tools for their handlers, or a client of a version. */
export const createTypesCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "types", description: "Write TypeScript types of all tools for their handlers, or a typed client" },
    args: {
      ...TARGET_OPTION,
      client: { type: "boolean", description: "Print a typed client of the version: one file without dependencies" },
      check: { type: "boolean", description: "Write nothing, and fail if types are not as the manifests say" },
    },
    async run({ args }) {
      const { out, err, folder } = context;
      const { loaded, close } = await openTarget(context, args.target);
      try {
        if (!loaded.ok) {
          err(formatProblems(loaded.problems, "text").trimEnd());
          return EXIT.FAILED;
        }
        const { version } = loaded;
        if (args.client === true) {
          const client = writeClient([...version.tools.values()], {
            agent: version.agent.name,
            version: version.semver,
          });
          out(client.trimEnd());
          return EXIT.OK;
        }
        if (version.commit !== NO_COMMIT) {
          const how = "only a folder's handlers can get types; `--client` prints a client of it.";
          throw new CairnError("BAD_REQUEST", `\`${args.target}\` is a commit; ${how}`);
        }
        const isCheck = args.check === true;
        const stale = await refreshTypes(resolve(folder, args.target), version, version.servers.keys(), { isCheck });
        for (const path of stale) out(`${isCheck ? "not up to date" : "wrote"}  ${path}`);
        if (stale.length === 0) out("All types are up to date.");
        return isCheck && stale.length > 0 ? EXIT.FAILED : EXIT.OK;
      } finally {
        close();
      }
    },
  });
