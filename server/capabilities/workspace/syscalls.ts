import { runLog } from "../../store/keys.ts";
import { findHeldRun, findRun, toEvent, type WorkDesk } from "../work/desk.ts";
import { releaseTask } from "../work/lease.ts";
import { noteRefusal } from "../work/note-refusal.ts";
import { toRecord } from "../work/task.ts";
import { WORKSPACE_CHECKS } from "./check-syscalls.ts";
import { isLost, openRunWorkspace } from "./nodes/open-run-workspace.ts";
import { type Prepare, prepare, RUN, runArguments, type WorkspaceSyscallOptions } from "./prepare.ts";
import { readPatch } from "./patch/read-patch.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import { toCommandPolicy } from "./sandbox/command-policy.ts";
import { assertNotPassed, assertPlanned, mayWrite } from "./planned-files.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineEach, toJson } from "../../kernel/dispatch.ts";
import { toWorkDesk, workAtOnce } from "../work/work-desk.ts";

const PATH = { type: "string", maxLength: 1024 };

const readArguments = createMemberCheck<{ runId: string; path: string }>("fs.read", ["runId", "path"], {
  runId: RUN,
  path: PATH,
});
const listArguments = createMemberCheck<{ runId: string; path?: string }>("fs.list", ["runId"], {
  runId: RUN,
  path: PATH,
});
const writeArguments = createMemberCheck<{ runId: string; path: string; content: string }>(
  "fs.write_file",
  ["runId", "path", "content"],
  { runId: RUN, path: PATH, content: { type: "string" } },
);
const patchArguments = createMemberCheck<{ runId: string; patch: string }>("fs.apply_patch", ["runId", "patch"], {
  runId: RUN,
  patch: { type: "string" },
});
const execArguments = createMemberCheck<{
  runId: string;
  command: readonly string[];
  cwd?: string;
  stdin?: string;
  timeout?: number;
}>("exec.run", ["runId", "command"], {
  runId: RUN,
  command: { type: "array", minItems: 1, maxItems: 256, items: { type: "string" } },
  cwd: PATH,
  stdin: { type: "string" },
  timeout: { type: "integer", minimum: 1 },
});
const commitArguments = createMemberCheck<{ runId: string; message: string; allowedFiles: readonly string[] }>(
  "git.commit",
  ["runId", "message", "allowedFiles"],
  { runId: RUN, message: { type: "string" }, allowedFiles: { type: "array", maxItems: 2000, items: PATH } },
);

/**
 * `ctx.fs`, `ctx.exec` and `ctx.git`: the one way to the files of a run. Whatever is done or refused is in its journal, at
 * once: what happened on disk does not go away when the call fails. A run writes nothing before it has a plan, nothing that
 * its plan does not name, and nothing at all where its workflow only reads; its commands see the files read-only then.
 */
export function createWorkspaceSyscalls(options: WorkspaceSyscallOptions) {
  return defineEach(
    { ...FILES, ...COMMANDS, ...COMMITS, ...WORKSPACE_CHECKS },
    (prepared: Prepare, { name, mutates = false }) => {
      const find = mutates ? findHeldRun : findRun;
      return async (call, args) => {
        const { runId, act } = prepared(args);
        const desk = toWorkDesk(call, options);
        try {
          const run = await find(desk, runId);
          const workspace = await openRunWorkspace(desk, run, options);
          const { answer, details = {} } = await act({ desk, run, workspace, call, options });
          const event = toEvent({ ...desk, now: options.storeTime() }, run.record, name, details);
          await desk.appendNow(runLog(run.tenant, runId), toRecord(event));
          return answer === undefined ? undefined : toJson(answer);
        } catch (error) {
          await noteRefusal(desk, runId, name, error);
          if (mutates && isLost(error)) await workAtOnce(call, options, (own) => giveBack(own, runId));
          throw error;
        }
      };
    },
  );
}

const FILES = {
  "fs.read": prepare(readArguments, async ({ workspace }, { path }) => {
    const { content, size, executable } = await workspace.fs.read(path);
    return { answer: { content, executable }, details: { path, bytes: size } };
  }),
  "fs.list": prepare(listArguments, async ({ workspace }, { path = "" }) => {
    const entries = await workspace.fs.list(path);
    return { answer: entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name)), details: { path } };
  }),
  "fs.write_file": prepare(writeArguments, async ({ desk, run, workspace }, { path, content }) => {
    await assertPlanned(desk, run, [path]);
    await assertNotPassed(desk, run);
    const { size } = await workspace.fs.write(path, content);
    return { answer: { path, bytes: size }, details: { path, bytes: size } };
  }),
  "fs.apply_patch": prepare(patchArguments, async ({ desk, run, workspace }, { patch }) => {
    const touched = readPatch(patch).flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    await assertPlanned(desk, run, [...new Set(touched)]);
    await assertNotPassed(desk, run);
    const { applied, files } = await workspace.fs.applyPatch(patch);
    const status = applied ? "applied" : "rejected";
    return { answer: { status, files }, details: { status, files: files.map(({ path }) => path) } };
  }),
  "fs.reset": prepare(runArguments("fs.reset"), async ({ desk, run, workspace }) => {
    await assertNotPassed(desk, run);
    await workspace.reset();
    return { answer: undefined };
  }),
};

const COMMANDS = {
  "exec.run": prepare(execArguments, async ({ desk, run, workspace, call, options }, args) => {
    const { command, cwd, stdin, timeout } = args;
    const left = call.deadline - options.now() - MARGIN_MS;
    const request = {
      command,
      timeoutMs: Math.max(1, Math.min(timeout ?? Number.POSITIVE_INFINITY, left)),
      ...(cwd === undefined ? {} : { cwd }),
      ...(stdin === undefined ? {} : { stdin }),
    };
    // What a command writes is a write like any other, and it reads the files either way.
    const write = await mayWrite(desk, run);
    const policy = { ...toCommandPolicy(call.version, options.revoked), write };
    const result = await reportTime(call, command, () => workspace.exec.run(request, policy, call.signal));
    const { exit_code, timed_out, duration_ms, limits_hit } = result;
    const ended = { exit_code, timed_out, duration_ms, limits_hit };
    return { answer: result, details: { command, write, ...ended, connections: toJson(result.connections) } };
  }),
};

const COMMITS = {
  "git.status": prepare(runArguments("git.status"), async ({ workspace }) => {
    const { files } = await workspace.git.status();
    return { answer: files, details: { files: files.length } };
  }),
  "git.diff": prepare(runArguments("git.diff"), async ({ workspace }) => {
    const { diff, bytes, truncated } = await workspace.git.diff();
    return { answer: { diff, truncated }, details: { bytes } };
  }),
  "git.commit": prepare(commitArguments, async ({ desk, run, workspace }, { message, allowedFiles }) => {
    await assertPlanned(desk, run, allowedFiles);
    const { head, base, files: changed } = await workspace.git.status();
    // A step that was cut short behind its commit is done again.
    if (head !== base && changed.every(({ committed }) => committed)) return { answer: { commit: head } };
    const author = { name: toName(desk.actor), email: `${toName(desk.actor)}@${toName(desk.tenant)}.invalid` };
    const { commit, files } = await workspace.git.commit({ message, allowedFiles, author });
    return { answer: { commit }, details: { commit, files } };
  }),
};

/** Gives the task of a run back whose workspace is lost: it is done again from the start. */
async function giveBack(desk: WorkDesk, runId: string): Promise<void> {
  const { record: run } = await findHeldRun(desk, runId);
  await releaseTask(desk, runId, run.worker_id, "Its workspace was lost with the node that had it.");
}

/** Milliseconds between two reports that a command still runs: clients give up on calls that say nothing. */
const REPORT_MS = 5000;

/** Reports that a command has begun, and the seconds that it runs. */
async function reportTime<T>(
  { onProgress }: RunningCall,
  command: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  if (onProgress === undefined) return work();
  let seconds = 0;
  const report = () => onProgress({ progress: seconds, message: `\`${command[0]}\` has run for ${seconds} s.` });
  report();
  const timer = setInterval(() => {
    seconds += REPORT_MS / 1000;
    report();
  }, REPORT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Milliseconds that a call keeps to say what became of its command. */
const MARGIN_MS = 1000;

/** A name that git accepts, and that can be part of a host name. */
function toName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]/g, "-").replace(/^[^A-Za-z0-9]+/, "") || "cairn";
}
