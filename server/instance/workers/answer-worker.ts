import type { Socket } from "node:net";
import { CairnError } from "../../errors.ts";
import type { Member } from "../../store/members.ts";
import type { Commit, Store } from "../../store/store.ts";
import { carryOut, toWireError } from "../answer-asks.ts";
import { createSender, onFrames } from "./frames.ts";
import type { Announced, Hello, LinkCommit, ToPrimary, ToWorker } from "./messages.ts";

export interface AnswerWorkerOptions {
  /** The worker's end of a pipe that nobody else has. */
  readonly socket: Socket;
  readonly store: Store;
  readonly hello: Hello;
  /** Lists the workers as they are at this moment. */
  readonly members: () => readonly Member[];
  readonly onAnnounced: (announced: Announced) => void;
  /** Hears of what failed in a way that nobody foresaw. */
  readonly onError: (error: unknown) => void;
}

/** Answers what one worker asks of the store of this process, until its pipe ends. Returns what asks the worker to end. */
export function answerWorker(options: AnswerWorkerOptions): () => void {
  const { socket, store, onAnnounced, onError } = options;
  const sendFrame = createSender(socket);
  const send = (head: ToWorker) => sendFrame({ head, texts: [] });
  const watches = new Map<number, () => void>();

  function take(message: ToPrimary, texts: readonly string[]): void {
    switch (message.do) {
      case "announce":
        return onAnnounced(message.with);
      case "watch":
        watches.set(
          message.watch,
          store.watch(message.with, () => send({ hint: message.watch })),
        );
        return;
      case "unwatch":
        watches.get(message.watch)?.();
        watches.delete(message.watch);
        return;
      default:
        carry(options, message, texts).then(
          (ok) => send({ id: message.id, ok }),
          (error: unknown) => {
            if (!(error instanceof CairnError)) onError(error);
            send({ id: message.id, error: toWireError(error) });
          },
        );
    }
  }

  onFrames(socket, ({ head, texts }) => take(head as ToPrimary, texts));
  socket.on("close", () => {
    for (const stop of watches.values()) stop();
    watches.clear();
  });
  // A worker that is killed in the middle is no failure here.
  socket.on("error", () => socket.destroy());
  return () => send({ stop: true });
}

type Asked = Extract<ToPrimary, { readonly id: number }>;

async function carry(
  { store, hello, members }: AnswerWorkerOptions,
  message: Asked,
  texts: readonly string[],
): Promise<unknown> {
  switch (message.do) {
    case "commit":
      return store.commit(toCommit(message.with, texts));
    case "hello":
      return hello;
    case "members":
      return members();
    default:
      return carryOut(store, message);
  }
}

function toCommit({ set, ...commit }: LinkCommit, texts: readonly string[]): Commit {
  let at = 0;
  return {
    ...commit,
    set: set.map(({ value, ...write }) =>
      value === undefined ? { ...write, json: texts[at++] ?? "" } : { ...write, value },
    ),
  };
}
