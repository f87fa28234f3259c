import type { Execution, FileSystem, Git, Repository } from "../../../capabilities/workspace/api.ts";
import type { AskNamed } from "./guest-work.ts";

/** `ctx.fs`. */
export function createFileSystem(ask: AskNamed): FileSystem {
  return {
    read: (runId, path) => ask("fs.read", { runId, path }),
    list: (runId, path) => ask("fs.list", { runId }, { path }),
    writeFile: (runId, path, content) => ask("fs.write_file", { runId, path, content }),
    applyPatch: (runId, patch) => ask("fs.apply_patch", { runId, patch }),
    reset: (runId) => ask("fs.reset", { runId }),
  };
}

/** `ctx.exec`. */
export function createExecution(ask: AskNamed): Execution {
  return {
    run: (runId, command, { cwd, stdin, timeout } = {}) => ask("exec.run", { runId, command }, { cwd, stdin, timeout }),
  };
}

/** `ctx.git`. */
export function createGit(ask: AskNamed): Git {
  return {
    status: (runId) => ask("git.status", { runId }),
    diff: (runId) => ask("git.diff", { runId }),
    commit: (runId, { message, allowedFiles }) => ask("git.commit", { runId, message, allowedFiles }),
  };
}

/** `ctx.repository`. */
export function createRepository(ask: AskNamed): Repository {
  return {
    impact: (targets) => ask("repository.impact", { targets }),
    search: (query, { limit, under } = {}) => ask("repository.search", { query }, { limit, under }),
    context: (objective, { files, limit } = {}) => ask("repository.context", { objective }, { files, limit }),
    validate: (runId) => ask("repository.validate", { runId }),
  };
}
