import type { Limits } from "../../versions/version.ts";

/** Something that a change does beyond what feedback may ask for in passing. */
export interface Overreach {
  readonly rule: OverreachRule;
  readonly path: string;
  /** A sentence: what the change does, and where. */
  readonly message: string;
  /** What the message would have to say for it to be meant; absent: no message can say that it is. */
  readonly ask?: Ask;
}

export interface Ask {
  /** A sentence that names it; a message with this line has named it. */
  readonly sentence: string;
  /** One word of each group has to stand in one and the same line of the message. */
  readonly words: readonly (readonly string[])[];
}

/** Names a row of `GUARDS`. */
export type OverreachRule =
  | "path"
  | "deleted"
  | "renamed"
  | "tool"
  | "egress"
  | "credential"
  | "uses"
  | "capability"
  | "tenancy"
  | "limit"
  | "redaction"
  | "recording"
  | "retirement"
  | "side-effect"
  | "cost"
  | "example"
  | "test"
  | "code"
  | "policy"
  | "approvals"
  | "upstream"
  | "workflow"
  | "experiment"
  | "server"
  | "label"
  | "history"
  | "hidden-text"
  | "instruction"
  | "command"
  | "link"
  | "copy"
  | "secret"
  | "tuning"
  | "wish"
  | "echo";

/** A file as it was and as it would be; undefined: it is not there. */
export interface ChangedFile {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export type Manifest = Readonly<Record<string, unknown>>;

/** The same of a manifest. */
export interface ChangedManifest {
  readonly path: string;
  readonly before: Manifest | undefined;
  readonly after: Manifest | undefined;
}

/** What findings are judged by beside the files themselves. */
export interface OverreachGround {
  /** What a tool may use that names no limits. */
  readonly limits: Limits;
  /** Whether tools of the version require capabilities of their callers. */
  readonly requiresCapabilities: boolean;
  /** Capabilities with which people approve what waits for them. */
  readonly approving: readonly string[];
}
