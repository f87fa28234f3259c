import { randomUUID } from "node:crypto";
import { CairnError } from "../errors.ts";
import { callTool, type Surroundings } from "./call-tool.ts";
import { sleep } from "./sleep.ts";
import type {
  Advanced,
  Approval,
  ApprovalWrite,
  ArtifactContent,
  ArtifactRead,
  ArtifactWrite,
  ArtifactWritten,
  ClaimedTask,
  Completed,
  FileRead,
  FolderListing,
  HeldRun,
  PatchApplied,
  Renewed,
  RunEvents,
  RunHistory,
  RunReport,
  TaskClaim,
  TaskComplete,
  TaskCreate,
  TaskList,
  TaskPage,
  TaskState,
  TaskStatus,
  TaskSummary,
} from "./work-tools.ts";

export interface WorkClientOptions extends Partial<Surroundings> {
  /** Address of Cairn, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** A version, range, label or commit; `latest` unless given. */
  readonly version?: string;
  readonly token?: string | undefined;
  /** Name that the caller goes by where the service needs no token; who does a run there and who approves it differ by it. */
  readonly person?: string | undefined;
}

export interface CallOptions {
  /** Gives the call up; what was sent may have been done all the same. */
  readonly signal?: AbortSignal;
}

type Method<Input, Output> = (input: Input, options?: CallOptions) => Promise<Output>;

/**
 * The tools of a work server, named as they are there. They reject with a `CairnError` whose `name` is one of
 * `docs/errors.md`: UNAVAILABLE where the service could not be reached in several attempts, CONFLICT where a lease was lost.
 */
export interface WorkClient {
  readonly taskCreate: Method<TaskCreate, TaskSummary>;
  readonly taskStatus: Method<{ readonly task_id: string }, TaskStatus>;
  readonly taskList: Method<TaskList, TaskPage>;
  readonly taskAnswer: Method<
    { readonly task_id: string; readonly answer: string },
    TaskState & { readonly reading?: string }
  >;
  readonly taskCancel: Method<{ readonly task_id: string; readonly reason?: string }, TaskState>;
  readonly taskClaim: Method<TaskClaim, ClaimedTask | { readonly task: null }>;
  readonly taskHeartbeat: Method<HeldRun, Renewed>;
  readonly taskRelease: Method<HeldRun & { readonly reason?: string }, TaskState>;
  readonly taskComplete: Method<TaskComplete, Completed>;
  readonly artifactRead: Method<ArtifactRead, ArtifactContent>;
  readonly artifactWrite: Method<ArtifactWrite, ArtifactWritten>;
  readonly approvalWrite: Method<ApprovalWrite, Approval>;
  readonly fsList: Method<{ readonly run_id: string; readonly path?: string }, FolderListing>;
  readonly fsRead: Method<{ readonly run_id: string; readonly path: string }, FileRead>;
  readonly fsApplyPatch: Method<{ readonly run_id: string; readonly patch: string }, PatchApplied>;
  readonly runAdvance: Method<{ readonly run_id: string }, Advanced>;
  readonly runEvents: Method<RunEvents, RunHistory>;
  readonly runReport: Method<{ readonly run_id: string }, RunReport>;
}

const ATTEMPTS = 6;
/** Milliseconds to wait for an answer; longer for what may take or wait that long itself. */
const TIMEOUT_MS = 30_000;
const ADVANCE_TIMEOUT_MS = 330_000;
const EVENTS_TIMEOUT_MS = 90_000;

/** @throws BAD_REQUEST for an address that is none. */
export function createWorkClient({ url, version = "latest", token, person, ...given }: WorkClientOptions): WorkClient {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new CairnError("BAD_REQUEST", `\`${url}\` is no http or https address of a service.`);
  }
  const address = { url: url.replace(/\/+$/, ""), version, token, person };
  const surroundings = {
    fetch: globalThis.fetch,
    sleep,
    random: Math.random,
    createKey: randomUUID,
    attempts: ATTEMPTS,
    ...given,
  };
  const method =
    (isEffect: boolean) =>
    <Input extends object, Output>(tool: string, timeoutMs = TIMEOUT_MS): Method<Input, Output> =>
    async (input, { signal } = {}) =>
      // The service has checked it against the tool's schema, which these types are taken from.
      (await callTool(address, { tool, input, isEffect, timeoutMs, signal }, surroundings)) as Output;
  const read = method(false);
  const effect = method(true);
  return Object.freeze<WorkClient>({
    taskCreate: effect("task_create"),
    taskStatus: read("task_status"),
    taskList: read("task_list"),
    taskAnswer: effect("task_answer"),
    taskCancel: effect("task_cancel"),
    taskClaim: effect("task_claim"),
    taskHeartbeat: effect("task_heartbeat"),
    taskRelease: effect("task_release"),
    taskComplete: effect("task_complete"),
    artifactRead: read("artifact_read"),
    artifactWrite: effect("artifact_write"),
    approvalWrite: effect("approval_write"),
    fsList: read("fs_list"),
    fsRead: read("fs_read"),
    fsApplyPatch: effect("fs_apply_patch"),
    runAdvance: effect("run_advance", ADVANCE_TIMEOUT_MS),
    runEvents: read("run_events", EVENTS_TIMEOUT_MS),
    runReport: read("run_report"),
  });
}
