import { setTimeout } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { loadToken, TOKEN_OPTION } from "../client/service-token.ts";
import { ROLE_OPTION, toRoleQuery } from "../client/role-option.ts";
import { URL_OPTION } from "../client/service-url.ts";
import { createBridge } from "./bridge.ts";
import { openMcpHttp } from "./http.ts";
import { readLines } from "../../text/lines.ts";
import { findService } from "./service.ts";

/** `cairn stdio <version> <server>`: MCP on standard input and output, for clients that start their servers themselves. */
export const createStdioCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "stdio", description: "Speak MCP on standard input and output, for desktop clients" },
    args: {
      version: {
        type: "positional",
        required: true,
        description: "A version, range, label or commit, for example `latest`",
      },
      server: { type: "positional", required: true, description: "One of its MCP servers, for example `runner`" },
      url: {
        ...URL_OPTION.url,
        description: `${URL_OPTION.url.description}; without one, a service is started when none runs`,
      },
      ...ROLE_OPTION,
      ...TOKEN_OPTION,
      repo: {
        type: "string",
        valueHint: "repository",
        description: "Path or URL; starts a service for it, as `cairn serve` would",
      },
      data: {
        type: "string",
        valueHint: "folder",
        description: "Where that service keeps its data (default: CAIRN_DATA, or .cairn)",
      },
    },
    async run({ args }) {
      const { out, err, input, stopped } = context;
      if (args.url !== undefined && (args.repo ?? args.data) !== undefined) {
        throw new CairnError(
          "BAD_REQUEST",
          "`--url` names a service that runs, `--repo` and `--data` one to be started; give one or the other.",
        );
      }
      const token = await loadToken(context, args["token-file"]);
      const service = await findService(context, { url: args.url, repository: args.repo, data: args.data });
      const path = `/agent/${encodeURIComponent(args.version)}/${encodeURIComponent(args.server)}${toRoleQuery(args.role)}`;
      const { findOther } = service;
      const findEndpoint = findOther && (async (gone: string) => (await findOther(new URL(gone).origin)) + path);
      const http = openMcpHttp(service.url + path, token, findEndpoint);
      const bridge = createBridge({
        send: http.send,
        write: out,
        warn: (text) => err(`cairn: ${text}`),
        wait: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
      });
      const lines = input();
      const read = async () => {
        for await (const line of readLines(lines, /\n/)) bridge.take(line);
        return true;
      };
      try {
        const isWhole = await Promise.race([read(), stopped().then(() => false)]);
        await (isWhole ? Promise.race([bridge.finish(), stopped()]) : undefined);
      } finally {
        await bridge.stop();
        lines.destroy();
        await http.close();
        await service.close();
      }
      return EXIT.OK;
    },
  });
