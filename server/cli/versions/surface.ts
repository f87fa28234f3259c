import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { canonicalJson } from "../../json/canonical-json.ts";
import { surfaceDigest, writeSurface } from "../../semver/surfaces/surface.ts";
import { toSurface } from "../../versions/surface.ts";
import { count } from "../../text/count.ts";
import { type Command, type CommandContext, createCommand, type CreateCommand } from "../command.ts";
import { toVersion } from "./compare-targets.ts";
import { EXIT } from "../exit-codes.ts";
import { openSurface, SERVER_OPTIONS, SURFACE_FILE } from "./open-surface.ts";
import { openTarget } from "./open-target.ts";
import { readRepeated } from "../repeated.ts";
import { TARGET_OPTION } from "./target-options.ts";

/**
 * Creates `cairn surface [ref|dir]`, which prints what `compat://manifest` shows of it, as the bytes that its fingerprint is
 * made of, and `cairn surface save`.
 */
export const createSurfaceCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "surface", description: "Print everything of a version that a client can see or depend on" },
    args: {
      ...TARGET_OPTION,
      digest: { type: "boolean", description: "Print the fingerprint alone" },
    },
    async run({ args }) {
      const target = await openTarget(context, args.target);
      target.close();
      const version = toVersion(target, args.target);
      context.out(args.digest === true ? version.fingerprint() : canonicalJson(toSurface(version)));
      return EXIT.OK;
    },
    subCommands: { save: createSaveCommand(context) },
  });

/** Creates `cairn surface save [file]`: keeps what clients see of a running MCP server, to compare later ones with it. */
function createSaveCommand({ folder, environment, out, err }: CommandContext): Command {
  return createCommand({
    meta: { name: "surface save", description: "Save everything of a running MCP server that its clients can see" },
    args: {
      file: { type: "positional", required: false, default: SURFACE_FILE, description: "Where to, or `-` to print it" },
      mcp: {
        type: "string",
        required: true,
        valueHint: "url|command",
        description: "The server: running at a URL, or started by a command",
      },
      ...SERVER_OPTIONS,
    },
    async run({ args, rawArgs }) {
      const { mcp: address, timeout, "token-env": tokenEnv } = args;
      const headers = readRepeated(rawArgs, "header");
      const { surface } = await openSurface({ folder, environment }, { address, timeout, tokenEnv, headers });
      if (args.file === "-") out(writeSurface(surface).trimEnd());
      else await writeFile(resolve(folder, args.file), writeSurface(surface));
      const { server, tools, prompts, resources, resourceTemplates } = surface;
      const lists = { tool: tools, prompt: prompts, resource: resources, "resource template": resourceTemplates };
      const counts = Object.entries(lists)
        .map(([name, list]) => count(Object.keys(list).length, name))
        .join(", ");
      const where = args.file === "-" ? "" : ` to ${args.file}`;
      err(`Saved \`${server.name}\` ${server.version}${where}: ${counts}; ${surfaceDigest(surface)}`);
      return EXIT.OK;
    },
  });
}
