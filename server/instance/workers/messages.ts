import type { Json } from "../../json/types.ts";
import type { Member } from "../../store/members.ts";
import type { Commit, Key } from "../../store/store.ts";
import type { Answer, Request } from "../messages.ts";

// What a worker and its primary say to each other over a pipe that nobody else has: frames, each an object here with texts
// beside it. A worker's requests have a number, with which the answer comes back, in any order.

/** A commit whose values that were given as text stand beside it, in their order. */
export type LinkCommit = Omit<Commit, "set"> & { readonly set: readonly LinkWrite[] };
type LinkWrite = { readonly key: Key; readonly ttl?: number; readonly value?: Json };

/** Facts that a worker makes known of itself, some at a time. */
export interface Announced {
  /** Base URL at which other workers reach it, and nobody else. */
  readonly address?: string;
  /** Base URL of the service. */
  readonly url?: string;
  /** Repository that is served, without any password. */
  readonly repository?: string;
  /** Lines that greet the operator: it serves. */
  readonly lines?: readonly string[];
}

/** Facts that a worker hears first. */
export interface Hello {
  readonly self: Member;
  /** Identifier of the worker that has what only one can have. */
  readonly home: string;
  /** Path of the data folder of the service, with what all workers have in common. */
  readonly folder: string;
  /** Path of the file that this worker locks as long as it lives. */
  readonly lock: string;
  /** Time of the store less that of the machine since its start, in milliseconds. */
  readonly origin: number;
}

/** A request of a worker, or a word that needs no answer. */
export type ToPrimary =
  | Exclude<Request, { readonly do: "commit" }>
  | { readonly id: number; readonly do: "commit"; readonly with: LinkCommit }
  | { readonly id: number; readonly do: "hello" | "members" }
  | { readonly do: "announce"; readonly with: Announced }
  | { readonly do: "watch"; readonly watch: number; readonly with: Key }
  | { readonly do: "unwatch"; readonly watch: number };

/** An answer, a hint for a watch, or the wish that the worker ends. */
export type ToWorker = Answer | { readonly hint: number } | { readonly stop: true };
