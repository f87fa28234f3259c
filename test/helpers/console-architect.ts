import { readFileSync } from "node:fs";
import type { Caller } from "../../server/auth/caller.ts";
import { createGreeter } from "../fixtures/greeter.ts";
import { type ArchitectService, openArchitectService } from "./architect-service.ts";
import type { AtEnd } from "./temporary.ts";

const POLICY = `roles:
  maintainer: ["architect:*", "tool:*"]
  sender: ["architect:chat", "tool:runner.greet", "tool:task_status", "tool:artifact_read"]
  user: ["tool:runner.greet"]
  approver: ["tool:approval_write", "tool:artifact_read", "tool:task_status", "tool:task_list", "tool:run_events", "tool:run_report"]
  watcher: ["tool:task_list", "tool:task_status", "tool:run_report"]
`;
const LISTS = ["task_create", "task_list", "run_report"].flatMap((tool) => [
  `manifests/work/${tool}.yaml`,
  `tools/work/${tool}.ts`,
]);

const toCaller = (tenant: string, actor: string, role: string): Caller => ({
  tenant,
  actor,
  roles: [role],
  scopes: new Set(["*"]),
});

/** By what they send as `Authorization`. */
const PEOPLE = {
  mia: toCaller("acme", "mia", "maintainer"),
  ada: toCaller("acme", "ada", "sender"),
  uwe: toCaller("acme", "uwe", "user"),
  pat: toCaller("acme", "pat", "approver"),
  /** Sees work, and decides nothing. */
  wim: toCaller("acme", "wim", "watcher"),
  /** May do everything, in another tenant. */
  eve: toCaller("other", "eve", "maintainer"),
};

/** A service whose feedback, work and approvals the console's tests show, for people of two tenants. */
export async function openConsoleArchitect(atEnd: AtEnd): Promise<ArchitectService> {
  const lists = Object.fromEntries(LISTS.map((file) => [file, readFileSync(file, "utf8")]));
  const files = { ...(await createGreeter()), ...lists, "manifests/policies/access.yaml": POLICY };
  return openArchitectService({ files, people: PEOPLE, atEnd });
}
