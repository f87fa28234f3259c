import { CairnError, isErrorName, toErrorBody } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../json/types.ts";
import { toJson } from "../../../kernel/dispatch.ts";
import type { Revoked } from "../../../versions/policy.ts";
import type { Workspaces } from "../open-workspaces.ts";
import type { CommandPolicy } from "../sandbox/command-policy.ts";
import type { CommandRequest } from "../sandbox/run-command.ts";
import { createRunWorkspace, type RunWorkspace, type WorkspaceTools } from "./run-workspace.ts";

/** Operation of a workspace that another node may ask for, with arguments that are JSON. */
type Operation = (workspace: RunWorkspace, signal: AbortSignal) => (...args: never[]) => Promise<unknown>;

/** Asks the node that has a workspace, for JSON. */
export type AskNode = (request: Json, signal?: AbortSignal) => Promise<Json>;

const OPERATIONS = {
  read: ({ fs }) => fs.read,
  list: ({ fs }) => fs.list,
  write: ({ fs }) => fs.write,
  applyPatch: ({ fs }) => fs.applyPatch,
  run:
    ({ exec }, signal) =>
    (request: CommandRequest, policy: CommandPolicy) =>
      exec.run(request, policy, signal),
  status: ({ git }) => git.status,
  diff:
    ({ git }) =>
    () =>
      git.diff(),
  commit: ({ git }) => git.commit,
  reset: ({ reset }) => reset,
  validate: ({ validate }) => validate,
  verify: (workspace, signal) => (tenant: string) => workspace.verify({ tenant, signal, onCheck: () => undefined }),
} as const satisfies Readonly<Record<string, Operation>>;

/**
 * Creates what answers other nodes about the workspaces of this one. Whether the caller may do so was decided where the call is; the
 * commands that are revoked are looked at here again. Errors are answers.
 */
export function createWorkspaceAnswers({
  workspaces,
  load,
  verify,
  revoked,
}: WorkspaceTools & { readonly workspaces: Workspaces; readonly revoked?: () => Revoked }): (
  asked: Json,
  signal: AbortSignal,
) => Promise<Json> {
  return async (asked, signal) => {
    try {
      const { runId, commit, name, args } = readRequest(asked);
      const found = (await workspaces.find(runId)) ?? (await workspaces.create(runId, commit));
      const workspace = createRunWorkspace(found, { ...(load && { load }), ...(verify && { verify }) });
      const operation: Operation = OPERATIONS[name];
      const given = name === "run" ? toRun(args, revoked) : args;
      return { answer: toJson((await operation(workspace, signal)(...(given as never[]))) ?? null) };
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      const { name, message, details = null } = toErrorBody(error, "");
      return { error: { name, message, details: toJson(details) } };
    }
  };
}

/** Adds what is revoked, as this node knows it, to the policy of a command: it is no data that could be sent. */
function toRun([request, policy]: readonly Json[], revoked: (() => Revoked) | undefined): readonly unknown[] {
  return [request, isObject(policy) && revoked !== undefined ? { ...policy, revoked } : policy];
}

interface Request {
  readonly runId: string;
  /** Of the run, which its workspace is made from. */
  readonly commit: string;
  readonly name: keyof typeof OPERATIONS;
  readonly args: readonly Json[];
}

function readRequest(asked: Json): Request {
  const { runId, commit, name, args } = isObject(asked) ? asked : {};
  if (typeof runId === "string" && typeof commit === "string" && typeof name === "string" && Array.isArray(args)) {
    if (Object.hasOwn(OPERATIONS, name)) return { runId, commit, name: name as Request["name"], args: args as Json[] };
  }
  throw new CairnError("BAD_REQUEST", "No such operation of workspaces is known to this release of Cairn.");
}

/** Creates the workspace of a run whose files another node has. */
export function createRemoteWorkspace(runId: string, commit: string, askNode: AskNode): RunWorkspace {
  const ask = async <T>(
    name: keyof typeof OPERATIONS,
    args: readonly unknown[] = [],
    signal?: AbortSignal,
  ): Promise<T> => {
    const answered = await askNode({ runId, commit, name, args: toJson(args) }, signal);
    if (isObject(answered) && "answer" in answered) return answered["answer"] as T;
    throw readError(answered);
  };
  return Object.freeze<RunWorkspace>({
    runId,
    base: commit,
    fs: {
      read: (path) => ask("read", [path]),
      list: (path) => ask("list", [path]),
      write: (path, content) => ask("write", [path, content]),
      applyPatch: (patch) => ask("applyPatch", [patch]),
    },
    exec: {
      run: (request, policy, signal) => ask("run", [request, toPlain(policy)], signal),
    },
    git: {
      status: () => ask("status"),
      diff: () => ask("diff"),
      commit: (request) => ask("commit", [request]),
    },
    reset: () => ask("reset"),
    validate: () => ask("validate"),
    verify: ({ tenant, signal }) => ask("verify", [tenant], signal),
  });
}

/** The parts of a policy that are data; what is revoked, the other node knows. */
function toPlain({ allow, env, write, limits }: CommandPolicy): CommandPolicy {
  return { allow, env, write, ...(limits && { limits }) };
}

function readError(answered: Json): CairnError {
  const { name, message, details } = isObject(answered) && isObject(answered["error"]) ? answered["error"] : {};
  if (typeof name !== "string" || !isErrorName(name) || typeof message !== "string") {
    return new CairnError("UNAVAILABLE", "The node that has this workspace answered what nobody understands.");
  }
  return new CairnError(name, message, details === null || details === undefined ? {} : { details });
}
