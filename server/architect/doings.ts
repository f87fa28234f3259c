import { randomUUID } from "node:crypto";
import { isObject } from "../json/is-object.ts";
import { createQueues } from "../serial.ts";
import type { Json, Key, Store } from "../store/store.ts";

/** A step that is being done about feedback. */
export interface Progress {
  readonly stage: string;
  readonly message: string;
}

type Listener = (progress: Progress) => void;
type Feedback = { readonly tenant: string; readonly id: string };

/** Sentences about the work on feedback: those of this process, and those of others that conduct feedback of the same store. */
export interface Doings {
  /** Tells of a step of this process; an empty message is for `listen` alone. */
  tell(feedback: Feedback, progress: Progress): void;
  /** Forgets what this process has said. */
  forget(id: string): void;
  /** Hears of the steps of this process. Returns "stop". */
  listen(id: string, listener: Listener): () => void;
  /** As `listen`, and hears the newest sentence of another process. */
  follow(feedback: Feedback, listener: Listener): () => void;
  /** Finds the newest sentence. */
  find(feedback: Feedback): Promise<string | undefined>;
}

export interface DoingsOptions {
  readonly store: Store;
  /** Says whether other processes conduct feedback of the same store. */
  readonly isShared: boolean;
  /** Failures that nobody waits for. */
  readonly onError: (error: unknown) => void;
}

/** Milliseconds after which a sentence of a process that has died is none any more. */
const SENTENCE_TTL_MS = 60 * 60 * 1_000;

/** A sentence in the store. */
interface Told extends Progress {
  /** Identifier of the process that said it. */
  readonly by: string;
}

export function createDoings({ store, isShared, onError }: DoingsOptions): Doings {
  const self = randomUUID();
  const listeners = new Map<string, Set<Listener>>();
  const doing = new Map<string, string>();
  const queues = createQueues();

  async function load({ tenant, id }: Feedback): Promise<Told | undefined> {
    return readTold((await store.get(doingKey(tenant, id)))?.value);
  }

  function listen(id: string, listener: Listener): () => void {
    const followers = listeners.get(id) ?? new Set();
    listeners.set(id, followers);
    followers.add(listener);
    return () => {
      followers.delete(listener);
      if (followers.size === 0) listeners.delete(id);
    };
  }

  /** Hears of sentences that others write down. */
  function watch(feedback: Feedback, listener: Listener): () => void {
    let last: string | undefined;
    const look = async () => {
      const told = await load(feedback);
      if (told === undefined || told.by === self || told.message === last) return;
      last = told.message;
      listener({ stage: told.stage, message: told.message });
    };
    const lookSoon = () => void look().catch(onError);
    lookSoon();
    return store.watch(doingKey(feedback.tenant, feedback.id), lookSoon);
  }

  return Object.freeze<Doings>({
    tell({ tenant, id }, { stage, message }) {
      if (message !== "") doing.set(id, message);
      for (const listener of listeners.get(id) ?? []) listener({ stage, message });
      if (!isShared || message === "") return;
      const value: Json = { by: self, stage, message };
      const set = [{ key: doingKey(tenant, id), value, ttl: SENTENCE_TTL_MS }];
      void queues.run(id, () => store.commit({ set })).catch(onError);
    },
    forget: (id) => void doing.delete(id),
    listen,
    follow(feedback, listener) {
      const stops = [listen(feedback.id, listener), ...(isShared ? [watch(feedback, listener)] : [])];
      return () => stops.forEach((stop) => stop());
    },
    async find(feedback) {
      return doing.get(feedback.id) ?? (isShared ? (await load(feedback))?.message : undefined);
    },
  });
}

function doingKey(tenant: string, id: string): Key {
  return ["feedback-doing", tenant, id];
}

function readTold(value: unknown): Told | undefined {
  if (!isObject(value)) return undefined;
  const { by, stage, message } = value;
  if (typeof by !== "string" || typeof stage !== "string" || typeof message !== "string") return undefined;
  return { by, stage, message };
}
