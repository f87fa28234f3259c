import { fileURLToPath } from "node:url";
import { createCommand, type CreateCommand } from "./command.ts";
import { CLIENTS, type ClientFormat, type Launch } from "./connect-clients.ts";
import { type ConnectTarget, loadConnectTarget } from "./connect-target.ts";
import { EXIT } from "./exit-codes.ts";
import { toServiceUrl, URL_OPTION } from "./service-url.ts";

const LAUNCHER = fileURLToPath(new URL("../../bin/cairn.mjs", import.meta.url));

/** `cairn connect <version> <server>`: what to paste where, so that a client uses one server of one version. */
export const createConnectCommand: CreateCommand = ({ environment, out, err }) =>
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
      client: {
        type: "enum",
        options: Object.keys(CLIENTS),
        valueHint: "name",
        description: "Print only what this client needs, ready for its file",
      },
      stdio: { type: "boolean", description: "For clients that start servers themselves: with `cairn stdio`" },
    },
    async run({ args }) {
      const service = toServiceUrl(args.url, environment);
      const target = await loadConnectTarget(service, args.version, args.server);
      const launch = toLaunch(target, service);
      const write = ({ http, stdio }: ClientFormat) =>
        http === undefined || args.stdio ? stdio(target, launch) : http(target);
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

/** By full paths: clients start servers in folders and with a PATH of their own. */
function toLaunch({ version, server }: ConnectTarget, service: string): Launch {
  return { command: process.execPath, args: [LAUNCHER, "stdio", version, server, "--url", service] };
}
