import { readJson } from "../../../json/read-json.ts";
import type { WorkDesk } from "../desk.ts";
import { readArtifact } from "../evidence.ts";
import type { Run } from "../run.ts";
import { APPROVAL } from "../workflows.ts";
import { CALL, OUTCOME, readShownCall, rolesOf } from "./waiting-call.ts";

interface Reader {
  readonly tenant: string;
  readonly actor: string;
  readonly roles?: readonly string[];
}

/**
 * Checks that a reader may have this evidence of a run. The input of a call that waits or waited goes to its caller and to those with
 * the role that decides, its outcome to the caller alone: others who may read tasks need not hold any right to the tool. All other
 * evidence goes to everybody who may read tasks.
 */
export async function mayReadCall(
  desk: Pick<WorkDesk, "get">,
  { tenant, actor, roles = [] }: Reader,
  run: Run,
  name: string,
): Promise<boolean> {
  if (run.workflow !== APPROVAL || (name !== CALL && name !== OUTCOME)) return true;
  if (tenant !== run.actor.tenant) return false;
  if (actor === run.actor.name) return true;
  if (name === OUTCOME) return false;
  const { approval } = readShownCall(readJson((await readArtifact(desk, tenant, run, CALL)) ?? "null"));
  return rolesOf(approval).some((role) => roles.includes(role));
}
