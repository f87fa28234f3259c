import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { vi } from "vitest";
import { createGreeter } from "../fixtures/greeter.ts";
import { type Answer, type ArchitectService, openArchitectService, toCaller } from "./architect-service.ts";
import type { AtEnd } from "./temporary.ts";

/** A task that a worker has claimed. */
export interface ClaimedWork {
  readonly task_id: string;
  readonly run_id: string;
}

export interface LandingService extends ArchitectService {
  /** Calls a tool of the work server as somebody. */
  call(who: string, tool: string, input: object): Promise<Answer>;
  /** Creates a task of the workflow `change`, and has `wim` claim it. */
  begin(who: string, objective: string, title?: string): Promise<ClaimedWork>;
  /** Has `wim` do steps until none is left for a worker; the last answer. */
  advance(runId: string): Promise<Answer["body"]>;
  /** The task and its run, once what `isThere` says is so. */
  settled(who: string, taskId: string, isThere: (status: Answer["body"]) => boolean): Promise<Answer["body"]>;
}

const FOLDERS = ["manifests/work/*.yaml", "tools/work/*.ts", "tools/_lib/work/*.ts", "manifests/workflows/*.yaml"];

/** The greeter with all of this checkout's work server, and people who differ in what they may do. */
export async function createLandingAgent(): Promise<Record<string, string>> {
  const own = globSync(FOLDERS).map(async (file) => [file, await readFile(file, "utf8")] as const);
  return {
    ...(await createGreeter()),
    ...Object.fromEntries(await Promise.all(own)),
    "manifests/policies/access.yaml": `roles:
  maintainer: ["architect:*", "tool:*"]
  requester: ["tool:task_*", "tool:run_*", "tool:artifact_read"]
  worker: ["tool:*"]
  critic: ["architect:chat"]
  approver: ["tool:approval_write", "tool:task_status"]
`,
  };
}

const PEOPLE = {
  mia: toCaller("mia", "maintainer"),
  ada: toCaller("ada", "requester", "critic"),
  rob: toCaller("rob", "requester"),
  wim: toCaller("wim", "worker", "critic"),
  tom: toCaller("tom", "worker"),
  pat: toCaller("pat", "approver"),
  // Good for the work server alone.
  eve: { ...toCaller("eve", "requester", "critic"), scopes: new Set(["work"]) },
};

export async function openLandingService(
  options: { readonly environment?: Readonly<Record<string, string>>; readonly atEnd?: AtEnd } = {},
): Promise<LandingService> {
  const service = await openArchitectService({ files: await createLandingAgent(), people: PEOPLE, ...options });
  const call: LandingService["call"] = (who, tool, input) => service.post(who, `/agent/1.0.0/api/tools/${tool}`, input);
  return {
    ...service,
    call,
    async begin(who, objective, title = "Another greeting") {
      const asked = await call(who, "task_create", { title, objective, workflow: "change" });
      const { body } = await call("wim", "task_claim", { worker_id: "w1" });
      if (asked.body.task_id !== body.task_id) throw new Error(JSON.stringify([asked.body, body]));
      return body;
    },
    async advance(run_id) {
      for (;;) {
        const { body } = await call("wim", "run_advance", { run_id });
        if (body.state !== "step") return body;
      }
    },
    settled: (who, task_id, isThere) =>
      vi.waitFor(
        async () => {
          const { body } = await call(who, "task_status", { task_id });
          if (!isThere(body)) throw new Error(JSON.stringify(body));
          return body;
        },
        { timeout: 60_000, interval: 100 },
      ),
  };
}
