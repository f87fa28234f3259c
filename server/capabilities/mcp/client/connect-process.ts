import type { Readable, Writable } from "node:stream";
import { CairnError } from "../../../errors.ts";
import { readLines } from "../../../text/lines.ts";
import {
  type Answer,
  findAnswer,
  findMessage,
  findNotification,
  type McpConnection,
  MESSAGE_LIMIT,
  type Message,
  type OnNotification,
  meter,
  type RequestOptions,
  toReply,
} from "./connection.ts";

/** Characters of what a server printed as errors that are repeated when it ends too early. */
const COMPLAINT_LENGTH = 1_000;

/** Process that speaks MCP over its input and output. */
export interface ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended, with `ended with <code>`, or with a sentence of its own. */
  readonly ended: Promise<string>;
  end(): Promise<void>;
}

export interface ProcessOptions {
  readonly signal: AbortSignal;
  /** Bytes of one message. */
  readonly limit?: number;
  /** Takes notifications also while no request waits. */
  readonly onNotification?: OnNotification;
  /** Takes what the server printed as errors before it ended; absent: errors repeat it. */
  readonly onComplaint?: (complaint: string) => void;
}

interface Waiting extends RequestOptions {
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Speaks with a server over its input and output. Lines that are no messages are skipped: many servers print something
 * there. Notifications go to every request that waits: they do not say which one they belong to.
 */
export function connectProcess(
  label: string,
  process: ServerProcess,
  { signal, limit = MESSAGE_LIMIT, onNotification, onComplaint }: ProcessOptions,
): McpConnection {
  const { stdin, stdout, stderr } = process;
  const waiting = new Map<number, Waiting>();
  let complaint = "";
  let failure: CairnError | undefined;
  let count = 0;
  const fail = (message: string, cause?: unknown) => {
    failure ??= cause instanceof CairnError ? cause : new CairnError("UNAVAILABLE", message, { cause });
    for (const { fail: reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  const write = (message: Message) => stdin.write(`${JSON.stringify(message)}\n`);
  const notify = (method: string, params?: Message) =>
    write({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });

  stderr.on("data", (chunk: Buffer) => (complaint = `${complaint}${String(chunk)}`.slice(-COMPLAINT_LENGTH)));
  // The end of the program says more than that its input is closed.
  stdin.on("error", () => undefined);
  void process.ended.then((how) => {
    const words = complaint.trim();
    if (failure === undefined && words !== "") onComplaint?.(words);
    const said = words === "" || onComplaint !== undefined ? "" : `; it said: ${words}`;
    fail(how.startsWith("ended ") ? `\`${label}\` ${how} before it had answered${said}.` : how);
  });
  signal.addEventListener("abort", () => fail(`\`${label}\` did not answer in time.`), { once: true });
  void listen().catch((cause: unknown) => fail(`\`${label}\` cannot be read.`, cause));

  async function listen(): Promise<void> {
    for await (const line of readLines(meter(label, stdout, { limit, isWhole: false }), /\r?\n/)) {
      const message = findMessage(line);
      if (message !== undefined) take(message);
    }
  }

  function take(message: Message): void {
    const reply = toReply(message);
    if (reply !== undefined) write(reply);
    const notification = findNotification(message);
    if (notification !== undefined) {
      onNotification?.(...notification);
      for (const one of waiting.values()) one.onNotification?.(...notification);
    }
    const id = Number(message["id"]);
    const one = waiting.get(id);
    const answer = one === undefined ? undefined : findAnswer(message, id);
    if (answer === undefined) return;
    waiting.delete(id);
    one?.settle(answer);
  }

  return {
    label,
    isOpen: () => failure === undefined,
    request: (method, params, options = {}) =>
      new Promise<Answer>((settle, reject) => {
        if (failure !== undefined) return reject(failure);
        const id = ++count;
        waiting.set(id, { ...options, settle, fail: reject });
        options.signal?.addEventListener(
          "abort",
          () => {
            if (!waiting.delete(id)) return;
            notify("notifications/cancelled", { requestId: id });
            reject(new CairnError("CANCELLED", `The request to \`${label}\` was given up.`));
          },
          { once: true },
        );
        write({ jsonrpc: "2.0", id, method, params });
      }),
    async notify(method, params) {
      notify(method, params);
    },
    agree: () => undefined,
    close: () => process.end(),
  };
}
