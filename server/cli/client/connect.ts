import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createCommand, type CreateCommand } from "../command.ts";
import { CairnError } from "../../errors.ts";
import type { Launch } from "./connect/client-files.ts";
import { printLinks } from "./connect/print-links.ts";
import { writeClients } from "./connect/write-clients.ts";
import { CLIENTS, type ClientFormat } from "./connect-clients.ts";
import { type ConnectTarget, loadConnectTarget } from "./connect-target.ts";
import { EXIT } from "../exit-codes.ts";
import { ROLE_OPTION } from "./role-option.ts";
import { loadToken, TOKEN_OPTION } from "./service-token.ts";
import { toServiceUrl, URL_OPTION } from "./service-url.ts";

const LAUNCHER = fileURLToPath(new URL("../../../bin/cairn.mjs", import.meta.url));

/** `cairn connect <version> <server>`: what to paste where, so that a client uses one server of one version. */
export const createConnectCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "connect", description: "Print what clients need to use a version" },
    args: {
      version: {
        type: "positional",
        required: true,
        description:
          "A version, range, label or commit; what moves is pinned to what it means now, unless with --follow",
      },
      server: { type: "positional", required: true, description: "One of its MCP servers, for example `runner`" },
      ...ROLE_OPTION,
      ...URL_OPTION,
      ...TOKEN_OPTION,
      client: {
        type: "enum",
        options: Object.keys(CLIENTS),
        valueHint: "name",
        description: "Print only what this client needs, ready for its file",
      },
      stdio: { type: "boolean", description: "For clients that start servers themselves: with `cairn stdio`" },
      follow: {
        type: "boolean",
        description:
          "Keep `latest`, a label or a range in the address, so that the client moves with it; otherwise it stays",
      },
      link: { type: "boolean", description: "Print install links; they hold no token" },
      write: { type: "boolean", description: "Show what the client's file would gain, ask, and write it" },
      project: { type: "boolean", description: "With --write: the file of the project in this folder, not the user's" },
      file: { type: "string", valueHint: "path", description: "With --write: this file of the client" },
      yes: { type: "boolean", description: "With --write: do not ask" },
    },
    async run({ args }) {
      checkOptions(args);
      const { environment, folder, out, err } = context;
      const service = toServiceUrl(args.url, environment);
      const file = args["token-file"];
      const token = await loadToken(context, file);
      const access = { url: service, token };
      const target = await loadConnectTarget(access, args.version, args.server, {
        follow: args.follow === true,
        role: args.role,
      });
      const launch = toLaunch(target, service, file === undefined ? undefined : resolve(folder, file), args.role);
      if (args.link) {
        const { client } = args;
        await printLinks({ target, service: access, client, launch: args.stdio ? launch : undefined }, context);
        return EXIT.OK;
      }
      if (token !== undefined && file === undefined) {
        err("cairn: where `cairn stdio` is started by a client, it finds the token only with `--token-file`");
      }

      if (args.write) {
        const { client, file: path } = args;
        const request = { target, service, launch, client, stdio: args.stdio === true, file: path };
        const project = args.project ? folder : undefined;
        const machine = { platform: process.platform, home: homedir(), environment };
        const isDone = await writeClients({ ...request, project, isSure: args.yes === true }, { ...context, machine });
        return isDone ? EXIT.OK : EXIT.FAILED;
      }
      const write = ({ http, stdio, holdsSecrets }: ClientFormat) =>
        http === undefined || args.stdio || (holdsSecrets && target.hasToken) ? stdio(target, launch) : http(target);
      const { agent, version, server, url, note } = target;
      const client = args.client === undefined ? undefined : CLIENTS[args.client];
      if (client !== undefined) {
        if (note !== undefined) err(`cairn: ${note}`);
        out(write(client));
        return EXIT.OK;
      }
      out(`${agent} ${version}, server \`${server}\`: ${url}`);
      if (note !== undefined) out(note);
      for (const format of Object.values(CLIENTS)) {
        out(`\n--- ${format.title}: ${format.where}\n`);
        out(write(format));
      }
      return EXIT.OK;
    },
  });

function checkOptions(
  args: Readonly<Record<"link" | "write" | "project" | "yes", boolean | undefined>> & { file?: string | undefined },
) {
  if (args.link && args.write) throw new CairnError("BAD_REQUEST", "`--link` and `--write` do not go together.");
  const alone = [args.project && "--project", args.yes && "--yes", args.file && "--file"].filter(Boolean);
  if (!args.write && alone.length > 0) {
    throw new CairnError("BAD_REQUEST", `\`${alone.join("`, `")}\` needs \`--write\`.`);
  }
  if (args.file && args.project) {
    throw new CairnError("BAD_REQUEST", "`--file` and `--project` do not go together.");
  }
}

/** By full paths: clients start servers in folders and with a PATH of their own. */
function toLaunch(
  { version, server }: ConnectTarget,
  service: string,
  tokenFile: string | undefined,
  role: string | undefined,
): Launch {
  const only = role === undefined ? [] : ["--role", role];
  const token = tokenFile === undefined ? [] : ["--token-file", tokenFile];
  return { command: process.execPath, args: [LAUNCHER, "stdio", version, server, "--url", service, ...token, ...only] };
}
