import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { State } from "./state.ts";

/** Branches that nobody may push to directly stand in a file beside the hook, one a line. */
const HOOK = `#!/bin/sh
while read old new ref; do
  if grep -qxF "$ref" protected-branches 2>/dev/null; then
    echo "error: GH006: Protected branch update failed for $ref." >&2
    exit 1
  fi
done
`;

export async function installHook(gitDir: string): Promise<void> {
  await writeFile(join(gitDir, "hooks", "pre-receive"), HOOK, { mode: 0o755 });
}

/** Clone, fetch and push, by git's own program; resolves when git is done. */
export async function answerGit(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
  login: string,
): Promise<void> {
  const closed = [...state.protections].filter(([, { enforceAdmins }]) => enforceAdmins).map(([name]) => name);
  const rules = state.rulesets.flatMap(({ include, enforceAdmins }) =>
    (enforceAdmins ? include : []).map((name) =>
      name === "~DEFAULT_BRANCH" ? `refs/heads/${state.defaultBranch}` : name,
    ),
  );
  const refs = [...closed.map((name) => `refs/heads/${name}`), ...rules];
  await writeFile(join(state.git.path, "protected-branches"), refs.map((ref) => `${ref}\n`).join(""));
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: state.git.path,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      REMOTE_USER: login,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      HTTP_GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  backend.stdin.on("error", () => undefined);
  request.pipe(backend.stdin);
  // A pipe ends nothing where its source is cut off, and git would wait for the rest.
  const endWhereCutOff = () => {
    if (!request.complete) backend.stdin.destroy();
  };
  if (request.destroyed) endWhereCutOff();
  else request.once("close", endWhereCutOff);
  let head = Buffer.alloc(0);
  backend.stdout.on("data", (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const headers = Object.fromEntries(
      head
        .toString("latin1", 0, end)
        .split("\r\n")
        .map((line) => line.split(": ")),
    );
    response.writeHead(Number.parseInt(headers["Status"] ?? "200", 10), headers);
    return void response.write(head.subarray(end + 4));
  });
  await new Promise<void>((resolve) => backend.on("close", () => resolve()));
}
