import { APPROVAL, ARCHITECT } from "../../capabilities/work/workflows.ts";
import type { WorkClient } from "../../worker/work-client.ts";

/** Tasks that one look finds. */
const LOOK = 200;

/**
 * Finds why a worker that was given no task leaves those that wait, as a sentence; undefined where none waits, or its token
 * lets it not see them. `takes` has the workflows that it asks for, where it asks for some.
 */
export async function explainIdle(
  client: Pick<WorkClient, "taskList">,
  { takes, hasAgent }: { readonly takes?: readonly string[]; readonly hasAgent: boolean },
): Promise<string | undefined> {
  const page = await client.taskList({ status: "pending", limit: LOOK }).catch(() => undefined);
  // One that was tried before may only wait for its next attempt, and those of the service are no worker's.
  const left = (page?.tasks ?? []).filter(({ workflow, attempts }) => attempts === 0 && !SERVICE.has(workflow));
  if (left.length === 0) return undefined;
  const workflows = [...new Set(left.map(({ workflow }) => workflow))].map(quote).join(", ");
  const others = `${left.length === 1 ? "1 task waits" : `${left.length} tasks wait`} that this worker does not take, of ${workflows}`;
  if (takes !== undefined) {
    const how = hasAgent ? "`cairn work create --workflow` names one of them" : "`--workflow` names others";
    return `${others}: it takes tasks of ${takes.map(quote).join(", ")}, and ${how}.`;
  }
  return `${others}: it has the service do the steps of tasks, and others are for a worker that does them itself.`;
}

/** Workflows whose tasks no worker gets. */
const SERVICE: ReadonlySet<string> = new Set([ARCHITECT.name, APPROVAL]);

function quote(text: string): string {
  return `\`${text}\``;
}
