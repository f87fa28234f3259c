import type { Cancellation } from "../cancellation.ts";
import { CairnError } from "../errors.ts";
import type { ClientAbilities } from "../host-api.ts";
import { isObject } from "../json/is-object.ts";
import type { Json } from "../json/types.ts";
import type { Question } from "../kernel/call.ts";
import type { Message, RequestId } from "./json-rpc.ts";

type Reply = Extract<Message, { readonly kind: "response" }>;

/** The questions to the client of a session that wait for an answer. */
export interface ClientQuestions {
  /**
   * Asks while the client's own `request` waits. Resolves to the answer under its question's key; rejects when the client
   * refuses, or there is none in time.
   */
  ask(question: Question, request: RequestId, signal?: Cancellation): Promise<[string, Json]>;
  take(reply: Reply): void;
  /** Ends all that wait. */
  close(): void;
}

/** Milliseconds that a person has for an answer. */
const ANSWER_LIMIT_MS = 30 * 60 * 1000;

export function createClientQuestions(send: (text: string, request: RequestId) => void): ClientQuestions {
  const waiting = new Map<RequestId, (end: Reply | CairnError) => void>();
  let asked = 0;
  return {
    ask({ key, method, params }, request, signal) {
      asked += 1;
      const questionId = `cairn-${asked}`;
      return new Promise((resolve, reject) => {
        const end = (reply: Reply | CairnError) => {
          waiting.delete(questionId);
          clearTimeout(timer);
          signal?.removeEventListener("abort", giveUp);
          if (reply instanceof CairnError) reject(reply);
          else if (reply.error === undefined) resolve([key, reply.result as Json]);
          else reject(new CairnError("UPSTREAM_ERROR", `The client refuses \`${method}\`: ${toText(reply.error)}.`));
        };
        const giveUp = () => end(new CairnError("CANCELLED", "The call was cancelled."));
        const late = new CairnError("UPSTREAM_TIMEOUT", `The client did not answer \`${method}\` in time.`);
        const timer = setTimeout(() => end(late), ANSWER_LIMIT_MS);
        waiting.set(questionId, end);
        signal?.addEventListener("abort", giveUp);
        if (signal?.aborted === true) giveUp();
        else send(JSON.stringify({ jsonrpc: "2.0", id: questionId, method, params }), request);
      });
    },
    take: (reply) => waiting.get(reply.id)?.(reply),
    close() {
      for (const end of waiting.values()) end(new CairnError("CANCELLED", "The session is closed."));
    },
  };
}

function toText(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message.slice(0, 200) : "without saying why";
}

/** Reads from a client's capabilities what it can be asked. Forms are meant where it names no mode of elicitation. */
export function toAbilities(capabilities: unknown): ClientAbilities {
  const { elicitation, sampling, roots } = isObject(capabilities) ? capabilities : {};
  const elicit = isObject(elicitation) && (isObject(elicitation["form"]) || elicitation["url"] === undefined);
  return { elicit, sample: isObject(sampling), roots: isObject(roots) };
}
