import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["example", "farm"]);

test.each([
  [
    "example",
    "git_commit should take messages of at most 2000 characters, and fs_read should have 20 seconds.",
    /`message` in the input of `git_commit` is `2000`.*time limit of `fs_read` is `20000`/,
  ],
  [
    "example",
    "Raise the time limit of artifact_create and artifact_update to 60 seconds each",
    /time limit of `artifact_create` is .*time limit of `artifact_update` is /,
  ],
  [
    "example",
    "the code that people pass to artifact_create must never show up in our logs",
    /^`code` of .* is kept out of logs\.$/,
  ],
  [
    "farm",
    "For build_logs, list_artifacts and build_status the answer should come within 3 seconds.",
    /`builds.build_logs` is .*3000.*`builds.list_artifacts` is .*3000.*`builds.build_status` is .*3000/,
  ],
])("%s: %s: each wish is done", async (agent, message, changes) => {
  expect(await changesOf(agent, message)).toMatch(changes);
});

test.each([
  ["example", "artifact_create and artifact_update together get 60 seconds"],
  ["example", "Raise the time limit of artifact_create, but not artifact_update, to 60 seconds"],
  ["example", "Raise the time limit of artifact_create and artifact_update to 60 seconds and draw a map"],
  ["example", "fs_read should have 20 seconds, and callers should know why"],
  ["example", "code of artifact_create must not be logged if the caller is a worker"],
  ["example", "requester must not cancel tasks, remove task_cancel there"],
  ["example", "approver: add worker_list, remove run_report"],
  ["example", "Don't keep code of artifact_create out of the logs"],
])("%s: %s: is not done", async (agent, message) => {
  expect(await changesOf(agent, message)).toBeUndefined();
});
