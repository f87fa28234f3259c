import { CairnError } from "../../errors.ts";
import { printable } from "../../text/printable.ts";
import { createWorkClient, type WorkClient } from "../../worker/work-client.ts";
import type { CliContext } from "../command.ts";
import { loadToken, TOKEN_OPTION } from "../client/service-token.ts";
import { type ServiceAccess, toRefusal, toServiceUrl, URL_OPTION } from "../client/service-url.ts";

/** The options that say which work server is meant. */
export const WORK_OPTIONS = {
  ...URL_OPTION,
  ...TOKEN_OPTION,
  agent: { type: "string", default: "latest", valueHint: "version", description: "Version of the agent, or a label" },
} as const;

interface WorkOptions {
  readonly url?: string | undefined;
  readonly "token-file"?: string | undefined;
  readonly agent: string;
  /** Name that the caller goes by where no token is needed. */
  readonly person?: string;
  /** Sentence that says what else can be done where the version has no tools for it. */
  readonly instead?: string;
}

/** Has `use` talk to the work server that the options name; what that refuses, it says as the other commands do. */
export async function withWorkServer<Result>(
  context: CliContext,
  { url: option, "token-file": tokenFile, agent: version, person, instead }: WorkOptions,
  attempts: number,
  use: (client: WorkClient, service: ServiceAccess) => Promise<Result>,
): Promise<Result> {
  const url = toServiceUrl(option, context.environment);
  const token = await loadToken(context, tokenFile);
  try {
    return await use(createWorkClient({ url, version, token, person, attempts }), { url, token });
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    if (error.name !== "INVALID_TOOL") throw toRefusal(error.row.status, { url, token }, error.message) ?? error;
    const usual = "`cairn add work` adds the tools that this command calls, to your next version.";
    throw new CairnError("INVALID_TOOL", [error.message, ...(instead === undefined ? [] : [instead]), usual].join(" "));
  }
}

/** Commands of people say soon that nobody answers. */
export const PATIENCE = 2;

/** Prints a text of others as it is; on a terminal, without what could control that. */
export function printText({ out, isTerminal = false }: CliContext, raw: string): void {
  const text = raw.endsWith("\n") ? raw.slice(0, -1) : raw;
  out(isTerminal ? text.split(/\r?\n/).map(toShown).join("\n") : text);
}

/** Tabs indent code; nothing else that controls a terminal gets through. */
function toShown(line: string): string {
  return line.split("\t").map(printable).join("\t");
}
