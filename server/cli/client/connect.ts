import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createCommand, type CreateCommand } from "../command.ts";
import { CLIENTS, type ClientFormat, type Launch } from "./connect-clients.ts";
import { type ConnectTarget, loadConnectTarget } from "./connect-target.ts";
import { EXIT } from "../exit-codes.ts";
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
        description: "A version, range, label or commit; what moves is pinned to what it means now",
      },
      server: { type: "positional", required: true, description: "One of its MCP servers, for example `runner`" },
      ...URL_OPTION,
      ...TOKEN_OPTION,
      client: {
        type: "enum",
        options: Object.keys(CLIENTS),
        valueHint: "name",
        description: "Print only what this client needs, ready for its file",
      },
      stdio: { type: "boolean", description: "For clients that start servers themselves: with `cairn stdio`" },
    },
    async run({ args }) {
      const { environment, folder, out, err } = context;
      const service = toServiceUrl(args.url, environment);
      const file = args["token-file"];
      const token = await loadToken(context, file);
      const target = await loadConnectTarget({ url: service, token }, args.version, args.server);
      const launch = toLaunch(target, service, file === undefined ? undefined : resolve(folder, file));
      const write = ({ http, stdio, holdsSecrets }: ClientFormat) =>
        http === undefined || args.stdio || (holdsSecrets && target.hasToken) ? stdio(target, launch) : http(target);
      const { agent, version, server, url, note } = target;
      if (token !== undefined && file === undefined) {
        err("cairn: where `cairn stdio` is started by a client, it finds the token only with `--token-file`");
      }

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

/** By full paths: clients start servers in folders and with a PATH of their own. */
function toLaunch({ version, server }: ConnectTarget, service: string, tokenFile: string | undefined): Launch {
  const token = tokenFile === undefined ? [] : ["--token-file", tokenFile];
  return { command: process.execPath, args: [LAUNCHER, "stdio", version, server, "--url", service, ...token] };
}
