/**
 * The port through which a repository is changed; everything else is read from the local copy. Each method is idempotent: the same call again,
 * wherever an earlier one was cut off, has the same end. What is malformed rejects with BAD_REQUEST before anything is
 * written, what does not exist with NOT_FOUND.
 */
export interface Forge {
  /**
   * Brings the local copy up to date, so that it has these commits of changes. A branch may have moved, or be gone, since the copy was
   * last looked at. Rejects with NOT_FOUND for a commit that the forge does not have.
   */
  sync(commits: readonly string[]): Promise<void>;
  /**
   * A branch with one commit that changes `files` of `from`, and a request to land it on `base`. The same key again is the
   * same change, wherever an earlier attempt stopped, and whatever became of it since; what else the later call says is
   * not looked at. Rejects with CONFLICT when `base` does not have `from`, or nothing would change.
   */
  propose(proposal: Proposal): Promise<Change>;
  /** Finds the change of a key, whatever became of it. */
  find(key: string): Promise<Change | undefined>;
  /**
   * Gives an open change other content, title and body: one commit on top of `expectHead`, which holds `from` with `files` and nothing
   * else. No commit of the branch is replaced. Rejects with CONFLICT when its head is another, or it is not open, or nothing would change.
   */
  revise(change: Change, revision: Revision): Promise<void>;
  status(change: Change): Promise<ChangeStatus>;
  /** The latest runs of all checks of a commit, whether or not a change leads to it. */
  checks(oid: string): Promise<readonly CheckRun[]>;
  /** Says how a check of ours came out for a commit; the last word on a name is the one that counts. */
  report(head: string, check: string, result: CheckResult): Promise<void>;
  /**
   * Lands the change if its head is `expectHead`, it has all of its base, and everything required is green: never anything
   * else than what was checked. `when-green` waits for checks, and only for them.
   */
  land(change: Change, options: { readonly expectHead: string; readonly mode: "now" | "when-green" }): Promise<Landing>;
  /** Brings the base into the change's branch; its checks begin anew. Rejects with CONFLICT when the change is not open. */
  refresh(change: Change): Promise<Refreshed>;
  /** Runs failed required checks of the change's head again, once and no more, where the forge can. */
  rerun(change: Change, head: string): Promise<Rerun>;
  /** Closes it and takes its branch away; its commits stay. Rejects with CONFLICT when it has landed. */
  abandon(change: Change, reason: string): Promise<void>;
  /** Says whether a proposal of this number is open, whoever made it; where there are no numbers, each counts as open. */
  isOpen(number: number): Promise<boolean>;
  /** Reads the rules that changes of a branch have to keep. */
  inspect(branch: string): Promise<ForgeRules>;
  /** Never moves a tag. */
  tag(name: string, oid: string, message: string): Promise<"created" | "same" | "taken">;
}

/** The rules of a branch, in sentences without their ends. */
export interface ForgeRules {
  readonly rules: readonly string[];
  /** What keeps changes from landing, or may, in whole sentences. */
  readonly problems: readonly string[];
}

export interface Proposal {
  /** Lower-case letters, digits and dashes. */
  readonly key: string;
  /** A commit of `base`, by its whole id. */
  readonly from: string;
  /** The name of a branch. */
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly author: { readonly name: string; readonly email: string };
  /** The message of the commit. */
  readonly message: string;
  /** By path; `null` deletes. A file that is executable stays so. */
  readonly files: ReadonlyMap<string, string | Uint8Array | null>;
  readonly labels?: readonly string[];
  /** True if people land it: then the forge adds no word on when Cairn does. */
  readonly isLeftToPeople?: boolean;
}

export interface Revision extends Pick<
  Proposal,
  "from" | "title" | "body" | "author" | "message" | "files" | "isLeftToPeople"
> {
  /** The head that its author has looked at. */
  readonly expectHead: string;
}

export interface Change {
  readonly key: string;
  readonly base: string;
  /** The name of its branch. */
  readonly branch: string;
  /** Number and address on the forge, where it has such. */
  readonly number?: number;
  readonly url?: string;
}

export interface ChangeStatus {
  /** The last commit of its branch; of a change that is no longer open, what it was. */
  readonly head: string;
  readonly state: "open" | "merged" | "closed";
  /**
   * True where the head is the commit that the forge has made of the proposal, and has read back to change its files and
   * nothing else. Absent: what the head has is to be compared.
   */
  readonly isAsProposed?: boolean;
  /** True where `abandon` closed it, and no person. */
  readonly isAbandoned?: boolean;
  /** `behind` means that the base has moved and can be brought in. Of a change that is no longer open, `unknown`. */
  readonly mergeable: "yes" | "conflict" | "behind" | "unknown";
  /** The sum of those required, for exactly this head: `none` when not one has begun. */
  readonly checks: "none" | "pending" | "green" | "red";
  readonly required: readonly string[];
  readonly runs: readonly CheckRun[];
  /** The commit of the base that has it. */
  readonly merged?: string;
}

export interface CheckRun {
  readonly name: string;
  readonly status: "pending" | "success" | "failure" | "neutral" | "skipped";
  readonly url?: string;
  /** When it ended, RFC 3339, where the forge says so. */
  readonly completedAt?: string;
}

export type CheckResult =
  | { readonly status: "in_progress" }
  | {
      readonly status: "completed";
      readonly conclusion: "success" | "failure" | "neutral";
      readonly summary: string;
    };

/**
 * `armed`: it lands by itself once green; `group` is the commit that would land, where the forge makes it beforehand and
 * waits for its checks. `refused`: the forge has tried and given up. `stale`: its head is another. `blocked`: a check is missing or red, or the change
 * is closed. `behind`: the base moved; `refresh` brings it in. `conflict`: the base moved, and cannot be brought in.
 */
export type Landing =
  | { readonly outcome: "merged"; readonly oid: string }
  | { readonly outcome: "armed"; readonly reason: string; readonly group?: string }
  | { readonly outcome: "stale" | "blocked" | "conflict" | "behind" | "refused"; readonly reason: string };

/** `running`: the failed checks are run once more. `final`: they stay as they are, because they were, or cannot be. */
export interface Rerun {
  readonly outcome: "running" | "final";
  /** A whole sentence for people. */
  readonly reason?: string;
}

export type Refreshed =
  | { readonly outcome: "updated" | "same"; readonly head: string }
  /** Nothing was changed. */
  | { readonly outcome: "conflict"; readonly paths: readonly string[] };
