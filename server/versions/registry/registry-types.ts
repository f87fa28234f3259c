import type { Store } from "../../store/store.ts";
import type { Candidate, Judgement } from "./judge/claims.ts";
import type { Base } from "./judge/bases.ts";
import type { JudgeClaim } from "./judge/compare-bases.ts";
import type { Described } from "./resolve/describe.ts";
import type { Git } from "../git/git.ts";
import type { LoadHistory } from "../mirror/labels.ts";
import type { LoadRevoked } from "../mirror/revocations.ts";
import type { Announced } from "../retirement/announced.ts";
import type { Ceiling, Revoked } from "../policy.ts";
import type { Problem } from "../problem.ts";
import type { Alarm, VersionRecord } from "../record.ts";
import type { Resolved } from "./resolve/resolve.ts";
import type { ToolDirectory } from "./tools/tool-directory.ts";
import type { Neighbours } from "./neighbours.ts";
import type { Retirements } from "./retirements.ts";
import type { Tree } from "../tree.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import type { Upstream } from "../git/upstream.ts";
import type { VersionPage, VersionQuery } from "./resolve/version-list.ts";
import type { Loaded, Version } from "../version.ts";

/** Registry of versions, kept in step with a git repository, and of the meanings of addresses. */
export interface Registry {
  /** Resolves an address to act on its version: see `resolveVersion`. */
  resolve(segment: string): Promise<Resolved>;
  /** Describes the version of an address: see `describeVersion`. */
  describe(segment: string): Promise<Described>;
  /** Resolves an address to show its version: see `inspectVersion`. */
  inspect(segment: string): Promise<Resolved>;
  /** The version that a commit makes, whatever leads to it: see `readVersion`. */
  read(segment: string): Promise<Version>;
  /** See `listVersions`. */
  list(query: VersionQuery): Promise<VersionPage>;
  /** Tools by name, across versions. */
  readonly tools: ToolDirectory;
  /**
   * Judges if a version would be served if its commit were tagged with its number now, and its labels moved. Rejects when
   * that cannot be decided at the moment.
   */
  judge(candidate: Candidate): Promise<Judgement>;
  /**
   * Finds the versions that the number of a version would be measured against; `build` as of a candidate. Rejects as
   * `judge` does.
   */
  findBases(version: Version, build: string | undefined): Promise<readonly Base[]>;
  /** Reads the files of a commit that a version is made of, and the change fragments beside them. */
  readTree(commit: string): Promise<TreeResult>;
  /** The text of a file of a commit that is served; undefined where it has none of that name. */
  readText(commit: string, file: string): Promise<string | undefined>;
  /** The policies of the default branch's newest served version; none where it has none. */
  ceiling(): Promise<Ceiling>;
  /** Announced ends of versions. */
  readonly retirements: Retirements;
  /** Returns the present revocations for every version. */
  revoked(): Revoked;
  /** Looks at the upstream now; never rejects because of what it finds. */
  refresh(): Promise<RefreshResult>;
  /** Makes `dev` mean a commit of the mirror if it can be served; else `dev` stays what it was. */
  offerDev(commit: string): Promise<Loaded>;
  /** Listeners are called after the change can be seen. Returns "stop". */
  subscribe(listener: (event: RegistryEvent) => void): () => void;
  status(): RegistryStatus;
  /** Path of the bare repository that versions are read from. */
  readonly mirror: string;
  close(): Promise<void>;
}

export interface RegistryOptions {
  readonly git: Git;
  readonly upstream: Upstream;
  /** The data folder; the mirror is made in it. */
  readonly data: string;
  readonly store: Store;
  /** Other nodes of the store; absent where it is this one's alone. */
  readonly neighbours?: Neighbours;
  readonly load: (tree: Tree, commit: string) => Promise<Loaded>;
  readonly loadHistory: LoadHistory;
  readonly loadRevoked: LoadRevoked;
  readonly judge: JudgeClaim;
  /** Names the rules that `load` and `judge` judge by: verdicts made under others are made again. */
  readonly fingerprint: string;
  /** True if heads of pull requests may be tried. */
  readonly previews: boolean;
  /** Path of the allowed signers of tags, where tags must be signed. */
  readonly signers?: string | undefined;
  readonly now: () => number;
  readonly random: () => number;
  /** Failures that no caller waits for. */
  readonly onError: (error: unknown) => void;
  readonly limits?: Partial<RegistryLimits>;
}

export interface RegistryLimits {
  /** Versions kept open. */
  readonly open: number;
  /** Between looks at the upstream that nothing else asks for. */
  readonly pollMs: number;
  /** Between looks because an unknown version was asked for, and how long that request waits for one. */
  readonly lookAgainMs: number;
  readonly lookAgainWaitMs: number;
  /** Longest wait of a start with local versions for news of others, in milliseconds. */
  readonly startMs: number;
  readonly debounceMs: number;
  readonly listMs: number;
  readonly fetchMs: number;
  /** True if versions are inspected before a caller asks for them. */
  readonly sweep: boolean;
  /** True if a repository on this machine is watched, in addition to polling. */
  readonly watch: boolean;
}

export const DEFAULT_LIMITS: RegistryLimits = {
  open: 256,
  pollMs: 30_000,
  lookAgainMs: 5_000,
  lookAgainWaitMs: 5_000,
  startMs: 2_000,
  debounceMs: 20,
  listMs: 30_000,
  fetchMs: 10 * 60_000,
  sweep: true,
  watch: true,
};

export interface RefreshResult {
  readonly ok: boolean;
  /** Tags seen for the first time. */
  readonly added: readonly string[];
  /** Refs that could not be brought in, and why; they are tried again each time. */
  readonly failed: ReadonlyMap<string, string>;
  /** True if any ref changed, or a tag was moved or deleted upstream. */
  readonly changed: boolean;
  /** Reason of the failure. */
  readonly message?: string;
}

export type RegistryEvent =
  /** Branches, tags or heads of pull requests are others: an address may mean something else, or nothing. */
  | { readonly kind: "refs" }
  | { readonly kind: "added" | "quarantined"; readonly record: VersionRecord }
  | { readonly kind: "alarm"; readonly tag: string; readonly alarm: Alarm }
  /** The tag is upstream again what it was at first. */
  | { readonly kind: "alarm-over"; readonly tag: string }
  | { readonly kind: "labels"; readonly labels: ReadonlyMap<string, string> }
  /** Reasons why the newest labels are not in force, or name missing versions; empty when that is over. */
  | { readonly kind: "label-problems"; readonly problems: readonly Problem[] }
  /** Reasons why this service lacks versions that it should have, by their names; empty when it lacks none any more. */
  | { readonly kind: "missing"; readonly missing: ReadonlyMap<string, string> }
  /** Versions have become deprecated, or are no longer. */
  | { readonly kind: "announced"; readonly announced: Announced }
  | { readonly kind: "revoked"; readonly revoked: Revoked }
  /** Reasons why the newest policies of the default branch are not understood; empty when they are again. */
  | { readonly kind: "revoked-in-doubt"; readonly problems: readonly Problem[] }
  | { readonly kind: "dev"; readonly commit: string }
  | { readonly kind: "dev-refused"; readonly commit: string; readonly problems: readonly Problem[] }
  | { readonly kind: "sync-failed"; readonly message: string }
  | { readonly kind: "sync-recovered" };

export interface RegistryStatus {
  /** Without credentials. */
  readonly upstream: string;
  /** RFC 3339, as are all times here. */
  readonly lastSuccess?: string;
  readonly lastFailure?: { readonly at: string; readonly message: string };
  /** Set while the upstream cannot be read. */
  readonly failingSince?: string;
  /** Looks at the upstream since the start. */
  readonly syncs: { readonly succeeded: number; readonly failed: number };
  readonly versions: number;
  readonly unverified: number;
  readonly quarantined: number;
  /** Their names: `1.6.0+warm-start`. */
  readonly quarantinedVersions: readonly string[];
  /** Number of quarantined versions of whose major version no newer one is served: whoever waits for them has nothing. */
  readonly unreplaced: number;
  readonly pullRequests: number;
  readonly open: number;
  readonly alarms: ReadonlyMap<string, Alarm>;
  /** Versions whose tags could not be brought in, and why. */
  readonly missing: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
  /** Reasons why the newest labels are not in force, or name missing versions. */
  readonly labelProblems: readonly Problem[];
  /** Reasons why the newest policies of the default branch are not all that revokes. */
  readonly revokedProblems: readonly Problem[];
  readonly dev?: { readonly commit?: string; readonly problems: readonly Problem[] };
}
