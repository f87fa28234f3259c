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
import { loadToken, toAuthorization, TOKEN_OPTION } from "./service-token.ts";
import { type ServiceAccess, toRefusal, toServiceUrl, URL_OPTION } from "./service-url.ts";
import { readEvents } from "../stdio/events.ts";

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
      const rest = { ...(attachments.length === 0 ? {} : { attachments }), dry_run: args["dry-run"] === true };
      const path = `/agent/${encodeURIComponent(args.agent)}/architect/chat`;
      let message = await loadMessage(context, args);
      for (;;) {
        const ended = await follow(await send(service, path, { message, ...rest }), service.url, { out, err });
        const choice = ended.notes === undefined ? undefined : await askForChoice(context, ended.notes);
        if (choice === undefined) return ended.code;
        message = choice;
      }
    },
  });

/** Tells how the feedback fares until there is an answer, or it waits. */
async function follow(
  response: AsyncIterable<Uint8Array>,
  url: string,
  { out, err }: Pick<CliContext, "out" | "err">,
): Promise<{ readonly code: number; readonly notes?: string }> {
  for await (const { type, data } of readEvents(response)) {
    const said = readJson(data);
    if (!isObject(said)) continue;
    if (type === "progress") err(printable(`${String(said["stage"])}: ${String(said["message"])}`));
    if (type === "answer") return { code: tellAnswer(said, out), notes: String(said["notes"]) };
    if (type === "error") throw new CairnError("UPSTREAM_ERROR", String(said["message"]));
    if (type === "status") return { code: tellStatus(said, url, out) };
  }
  throw new CairnError("UNAVAILABLE", "The service has ended the stream; it goes on with the feedback.");
}

/** The words with which an answer says how to choose one of its readings. */
const OFFER = /`yes ([0-9a-f-]{36}) ([abc](?: \| [abc])*)`/;

/** Asks people at a terminal which reading they mean. Returns the message that says so; undefined for none of them. */
async function askForChoice(
  { isTerminal = false, input, err }: CliContext,
  notes: string,
): Promise<string | undefined> {
  const [, id = "", letters = ""] = OFFER.exec(notes) ?? [];
  if (!isTerminal || id === "") return undefined;
  const known = letters.split(" | ");
  err(`Which one is meant: ${known.join(", ")}? (Enter: none)`);
  const lines = createInterface({ input: input() });
  try {
    for await (const line of lines) {
      const letter = line.trim().toLowerCase();
      if (letter === "") return undefined;
      if (known.includes(letter)) return `yes ${id} ${letter}`;
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

function tellStatus({ id, status, commit }: Readonly<Record<string, unknown>>, url: string, out: Tell): number {
  const why = status === "waiting" ? "It waits for somebody's approval (`cairn work approve`)." : "It takes its time.";
  out(
    printable(`${String(status)}: ${why} ${url}/agent/${String(commit)}/architect/feedback/${String(id)} says more.`),
  );
  return EXIT.OK;
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
