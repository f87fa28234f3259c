import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { printable, printableLines } from "../../text/printable.ts";
import { readJson } from "../../json/read-json.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readRepeated } from "../repeated.ts";
import { listApproveCommands } from "../work/approve-commands.ts";
import { loadToken, toAuthorization, TOKEN_OPTION } from "./service-token.ts";
import { askService, type ServiceAccess, toRefusal, toServiceUrl, URL_OPTION } from "./service-url.ts";
import { readEvents } from "../../text/events.ts";

/** `cairn feedback`: says what should be otherwise, and what becomes of it while it does. */
export const createFeedbackCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "feedback", description: "Tell the Architect of a running service what should be otherwise" },
    args: {
      message: {
        type: "positional",
        required: false,
        description: "What is wrong, or should be otherwise, for example `the weather tool should accept kelvin`",
      },
      file: { type: "string", valueHint: "path", description: "File with the message instead; `-` is standard input" },
      attach: {
        type: "string",
        valueHint: "uri",
        description: "What to go by besides: logs://, state://, eval://, https://; may stand several times",
      },
      "dry-run": { type: "boolean", description: "Say what would happen, and change nothing" },
      credit: { type: "boolean", description: "Name me in the pull request and its commit" },
      agent: { type: "string", default: "latest", valueHint: "version", description: "Version that it is about" },
      ...URL_OPTION,
      ...TOKEN_OPTION,
    },
    async run({ args, rawArgs }) {
      const { environment, out, err } = context;
      const service = {
        url: toServiceUrl(args.url, environment),
        token: await loadToken(context, args["token-file"]),
      };
      const attachments = readRepeated(rawArgs, "attach");
      const rest = {
        ...(attachments.length === 0 ? {} : { attachments }),
        dry_run: args["dry-run"] === true,
        ...(args.credit === true && { credit: true }),
      };
      const path = `/agent/${encodeURIComponent(args.agent)}/architect/chat`;
      let message = await loadMessage(context, args);
      for (;;) {
        const sent = await send(service, path, { message, ...rest });
        const { code, rejected, waiting } = await follow(sent, service.url, { out, err });
        if (waiting !== undefined) {
          const commands = await listApproveCommands(context, service, { id: waiting, agent: args.agent });
          for (const line of commands) out(printable(line));
        }
        const choice = rejected === undefined ? undefined : await askForChoice(context, service, rejected);
        if (choice === undefined) return code;
        message = choice;
      }
    },
  });

/** Tells how the feedback fares until there is an answer, or it waits. `rejected` is its address where nothing was done, `waiting` its task where it waits. */
async function follow(
  response: AsyncIterable<Uint8Array>,
  url: string,
  { out, err }: Pick<CliContext, "out" | "err">,
): Promise<{ readonly code: number; readonly rejected?: string; readonly waiting?: string }> {
  let address = "";
  for await (const { type, data } of readEvents(response)) {
    const said = readJson(data);
    if (!isObject(said)) continue;
    if (type === "progress") err(printable(`${String(said["stage"])}: ${String(said["message"])}`));
    if (type === "feedback") address = toAddress(said);
    if (type === "answer") {
      const code = tellAnswer(said, out);
      return said["result"] === "rejected" ? { code, rejected: address } : { code };
    }
    if (type === "error") throw new CairnError("UPSTREAM_ERROR", String(said["message"]));
    if (type === "status") {
      tellStatus(said, url, out);
      return { code: EXIT.OK, ...(said["status"] === "waiting" && { waiting: String(said["task_id"]) }) };
    }
  }
  throw new CairnError("UNAVAILABLE", "The service has ended the stream; it goes on with the feedback.");
}

/** Returns the address at which the service shows the state of feedback. */
function toAddress({ id, commit }: Readonly<Record<string, unknown>>): string {
  return `/agent/${String(commit)}/architect/feedback/${String(id)}`;
}

/** Asks people at a terminal which reading they mean. Returns the message that says so; undefined for none of them. */
async function askForChoice(
  { isTerminal = false, input, err }: CliContext,
  service: ServiceAccess,
  address: string,
): Promise<string | undefined> {
  if (!isTerminal) return undefined;
  const status = await askService(service, address);
  const offered = isObject(status) && Array.isArray(status["offered"]) ? status["offered"] : [];
  const known = offered.flatMap((one: unknown) => (isObject(one) ? [String(one["id"])] : []));
  if (!isObject(status) || known.length === 0) return undefined;
  err(`Which one is meant: ${known.join(", ")}? (Enter: none)`);
  const lines = createInterface({ input: input() });
  try {
    for await (const line of lines) {
      const letter = line.trim().toLowerCase();
      if (letter === "") return undefined;
      if (known.includes(letter)) return `yes ${String(status["id"])} ${letter}`;
      err(`Say ${known.join(" or ")}, or nothing.`);
    }
    return undefined;
  } finally {
    lines.close();
  }
}

function tellAnswer({ result, new_version, commit_hash, notes }: Readonly<Record<string, unknown>>, out: Tell): number {
  const version = typeof new_version === "string" ? ` ${new_version}` : "";
  const commit = typeof commit_hash === "string" ? ` (${commit_hash})` : "";
  out(printable(`${String(result)}${version}${commit}`));
  out(printableLines(String(notes)));
  return result === "rejected" ? EXIT.FAILED : EXIT.OK;
}

function tellStatus(said: Readonly<Record<string, unknown>>, url: string, out: Tell): void {
  const { status, doing = "It takes its time." } = said;
  const why = status === "waiting" ? "It waits for somebody's approval." : String(doing);
  out(printable(`${String(status)}: ${why} ${url}${toAddress(said)} says more.`));
}

type Tell = CliContext["out"];

async function loadMessage(
  { folder, input }: CliContext,
  { message, file }: { readonly message?: string | undefined; readonly file?: string | undefined },
): Promise<string> {
  if ((message === undefined) === (file === undefined)) {
    throw new CairnError("BAD_REQUEST", "Say what should be otherwise, or name a file that does with `--file`.");
  }
  if (message !== undefined) return message;
  if (file === "-") return text(input());
  return readFile(resolve(folder, file ?? ""), "utf8").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `The file \`${file ?? ""}\` of \`--file\` cannot be read.`, { cause });
  });
}

async function send(service: ServiceAccess, path: string, body: object): Promise<AsyncIterable<Uint8Array>> {
  const headers = {
    ...toAuthorization(service.token),
    "content-type": "application/json",
    accept: "text/event-stream",
  };
  let response: Response;
  try {
    response = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  } catch (cause) {
    throw new CairnError("UNAVAILABLE", `No service answers at ${service.url}; start one with \`cairn serve\`.`, {
      cause,
    });
  }
  if (response.ok && response.body !== null) return response.body;
  const problem: unknown = await response.json().catch(() => undefined);
  const detail = isObject(problem) ? problem["detail"] : undefined;
  const refusal = toRefusal(response.status, service, detail);
  if (refusal !== undefined) throw refusal;
  throw new CairnError("NOT_FOUND", typeof detail === "string" ? detail : `The service answered ${response.status}.`);
}
