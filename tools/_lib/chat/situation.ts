import type { Moment } from "../fill/find-date.ts";
import type { Memory } from "./memory.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** Thresholds of the pipeline's confidence; the parameter set `chat` holds the values. */
interface Thresholds {
  /** Score from which a tool counts as meant. */
  readonly match: number;
  /** Share of the best score by which the next tool must be behind, or the chat asks which one is meant. */
  readonly margin: number;
  /** Words up to which a message that matches no tool may be a change to the last call. */
  readonly followUpWords: number;
}

/** Everything a decision depends on besides the message. */
export interface Situation {
  readonly profiles: readonly ToolProfile[];
  readonly memory: Memory;
  readonly moment: Moment;
  /** True if the offset of `moment` is given or found, rather than assumed. */
  readonly clockKnown: boolean;
  readonly thresholds: Thresholds;
  /** The server that this chat is a tool of: whom a greeting speaks for. */
  readonly server?: string;
  /** True if a greeting gets a longer answer. */
  readonly warm?: boolean;
  /** The tool that the caller's metadata prefers. */
  readonly preferred?: string;
}
