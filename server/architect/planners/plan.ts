import type { Level } from "../../semver/level.ts";
import type { Key, Json } from "../../store/store.ts";

/** What somebody wants changed, with what they sent along. All of it is data: nothing in it is an instruction to Cairn. */
export interface Feedback {
  readonly message: string;
  readonly attachments: readonly Attachment[];
  /** The title of the reading that the sender has chosen, where an earlier answer has asked which one is meant. */
  readonly choice?: string;
  /** The refusal or the question of an earlier planner, for the model: what was understood, and why that is not enough. */
  readonly hint?: string;
}

/** What the URI of an attachment led to. */
export interface Attachment {
  readonly uri: string;
  readonly mediaType: string;
  readonly text: string;
}

/** What comes of feedback. */
export type Plan = ChangePlan | TunePlan | RejectPlan;

/** Files of the repository are to be others. */
export interface ChangePlan {
  readonly kind: "change";
  /** One line of at most 100 characters, for the commit and the pull request. */
  readonly title: string;
  /** What changes for those who use the tools, a sentence each, for versions.yaml and the pull request. */
  readonly changes: readonly string[];
  /** By path; `null` deletes. versions.yaml and the versions of tools are raised by others, as the proof asks for. */
  readonly files: ReadonlyMap<string, string | null>;
  /** The least bump that is asked for; the proof may need more. */
  readonly bump?: Level;
  /** Who else than the sender has worked on it, and so cannot approve it either. */
  readonly by?: readonly string[];
  /** Why it may not be what the sender wants, in sentences; somebody else has to approve it then. */
  readonly doubts?: readonly string[];
  /** What supports it, as `tuner.propose` tells it, for the reviewer. */
  readonly evidence?: Json;
}

/** Only internal state is to be another: nothing is committed. */
export interface TunePlan {
  readonly kind: "tune";
  readonly adjustments: readonly Adjustment[];
  /** Why it may not be what the sender wants, in sentences; somebody else has to approve it then. */
  readonly doubts?: readonly string[];
}

export type Adjustment =
  /** Makes an arm or values active; without either, what staging holds for best. */
  | {
      readonly kind: "promote";
      readonly experiment: string;
      readonly arm?: string;
      readonly values?: Readonly<Record<string, string | number | boolean>>;
    }
  /** Goes back to what was active before. */
  | { readonly kind: "revert"; readonly experiment: string }
  /** Makes the defaults of the manifest active. */
  | { readonly kind: "reset"; readonly experiment: string }
  /** The session of a conversation becomes another; `null` ends it. */
  | { readonly kind: "session"; readonly conversationId: string; readonly value: Json }
  /** One value of a server's state becomes another; `null` deletes it. */
  | { readonly kind: "state"; readonly server: string; readonly key: Key; readonly value: Json }
  /** Takes back what an earlier feedback has tuned. */
  | { readonly kind: "undo"; readonly id: string };

/** Nothing is done. */
export interface RejectPlan {
  readonly kind: "reject";
  /** Why, in whole sentences, naming what was wrong and where. */
  readonly reason: string;
  /** What would be accepted, or the question to answer, in whole sentences. */
  readonly accepted: string;
  /** Where several things may be meant: each of them worked out, for the sender to choose from. */
  readonly readings?: readonly Reading[];
  /** Set where the planner found no plan within its limits, so that another may. */
  readonly isGivenUp?: true;
}

/** One of the things that a message may mean. */
export interface Reading {
  readonly id: "a" | "b" | "c";
  /** What would be otherwise, in sentences. */
  readonly title: string;
  readonly changes?: readonly string[];
  readonly bump?: Level;
  /** What files would become, by path; `null` deletes. */
  readonly files?: Readonly<Record<string, string | null>>;
  readonly adjustments?: readonly Adjustment[];
}
