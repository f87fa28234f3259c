import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { APPROVAL, ARCHITECT } from "../../capabilities/work/workflows.ts";
import { CairnError } from "../../errors.ts";
import { printable } from "../../text/printable.ts";
import type { WorkClient } from "../../worker/work-client.ts";
import { createWorker } from "../../worker/worker.ts";
import type { WorkerEvent } from "../../worker/worker-event.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readNumber } from "../read-number.ts";
import { readRepeated } from "../repeated.ts";
import { defined } from "../../json/defined.ts";
import { AGENT_OPTIONS, readAgentExecute } from "./agent-options.ts";
import { withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** A worker waits for its service: with this many attempts a request is worth several minutes. */
const PATIENCE = 6;

/** `cairn worker`: has the service do the steps of one task after the other, and keeps their leases. */
export const createWorkerCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "worker", description: "Do tasks of a running service until asked to end" },
    args: {
      ...WORK_OPTIONS,
      server: { type: "string", valueHint: "url", description: "The same as `--url`" },
      id: { type: "string", description: "Name of the worker (default: made of host, process and chance)" },
      concurrency: { type: "string", valueHint: "number", description: "Tasks at a time (default: 1)" },
      poll: {
        type: "string",
        valueHint: "seconds",
        description: "How long to wait when there is nothing to do (default: 5)",
      },
      workflow: { type: "string", description: "Take tasks of this workflow only; may stand several times" },
      capability: { type: "string", description: "Something the worker can do; may stand several times" },
      once: { type: "boolean", description: "Do one task, if there is one, and end" },
      ...AGENT_OPTIONS,
    },
    async run({ args, rawArgs }) {
      const { err, now, stopped } = context;
      if (args.url !== undefined && args.server !== undefined && args.url !== args.server) {
        throw new CairnError("BAD_REQUEST", "`--url` and `--server` name different services; give one of them.");
      }
      const poll = readNumber("poll", args.poll, { otherwise: 5, min: 0.01, max: 3600, isWhole: false });
      const most = readNumber("concurrency", args.concurrency, { otherwise: 1, min: 1, max: 1000, isWhole: true });
      const [workflows, capabilities] = [readRepeated(rawArgs, "workflow"), readRepeated(rawArgs, "capability")];
      const execute = await readAgentExecute(context, args, rawArgs);
      const workerId = args.id ?? `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
      const say = (line: string) => err(`${new Date(now()).toISOString()} ${printable(line)}`);
      const options = { ...args, url: args.url ?? args.server };
      return withWorkServer(context, options, PATIENCE, async (client, { url }) => {
        const taken = toWorkflows(workflows, execute !== undefined);
        const tellWhy = async () => {
          const why = await explainIdle(client, {
            ...defined({ takes: taken.workflows }),
            hasAgent: execute !== undefined,
          });
          if (why !== undefined) say(why);
        };
        let last: WorkerEvent["kind"] | undefined;
        let told: Promise<void> | undefined;
        const worker = createWorker({
          client,
          workerId,
          pollInterval: poll * 1000,
          concurrency: args.once === true ? 1 : most,
          ...taken,
          ...defined({ execute }),
          ...(capabilities.length === 0 ? {} : { capabilities }),
          onEvent(event) {
            // That there is still nothing to do is no news.
            if (event.kind !== "idle" || last !== "idle") say(toLine(event));
            if (event.kind === "idle") told ??= tellWhy();
            last = event.kind;
            const isOver = event.kind !== "claimed" && event.kind !== "progress";
            // A heartbeat that did not get through is not the end.
            const isMinor = event.kind === "trouble" && event.run_id !== undefined;
            if (args.once === true && isOver && !isMinor) void worker.stop();
          },
        });
        void stopped().then(() => {
          say("stopping: what is under way may end; asked again, the worker ends at once.");
          return worker.stop();
        });
        say(`worker ${workerId} takes tasks of ${url}`);
        await worker.start();
        await told;
        if (args.once !== true) return EXIT.OK;
        if (last === "trouble") return EXIT.ENVIRONMENT;
        return last === "failed" || last === "lost" ? EXIT.FAILED : EXIT.OK;
      });
    },
  });

/** An agent makes changes, so without a choice it takes the tasks that ask for one. */
function toWorkflows(named: readonly string[], hasAgent: boolean): { readonly workflows?: readonly string[] } {
  if (named.length > 0) return { workflows: named };
  return hasAgent ? { workflows: ["change"] } : {};
}

function toLine({ kind, task_id, run_id, message }: WorkerEvent): string {
  const of = task_id === undefined ? "" : ` task ${task_id} run ${run_id ?? ""}`;
  return `${kind}${of}: ${message}`;
}

/** Tasks that one look finds. */
const LOOK = 200;

/**
 * Finds why a worker that was given no task leaves those that wait, as a sentence; undefined where none waits, or its token
 * lets it not see them. `takes` has the workflows that it asks for, where it asks for some.
 */
async function explainIdle(
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
