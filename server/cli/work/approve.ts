import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { decideAsOperator } from "../../capabilities/work/approvals/decide-as-operator.ts";
import { findWaitingRuns } from "../../capabilities/work/approvals/find-waiting-runs.ts";
import { CairnError } from "../../errors.ts";
import { createIdentifiers } from "../../identifiers.ts";
import { defined } from "../../json/defined.ts";
import { createEventHead } from "../../kernel/audit/audit-event.ts";
import { type CliContext, createCommand, type CreateCommand } from "../command.ts";
import { askService, type ServiceAccess } from "../client/service-url.ts";
import { EXIT } from "../exit-codes.ts";
import { DATA_OPTION, withStore } from "../with-store.ts";
import { findMachineData } from "./data-of-machine.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** Characters of a person's name that a service takes. */
const PERSON_LENGTH = 64;

interface Wanted {
  /** The task, or its run. */
  readonly id: string;
  readonly run?: string | undefined;
  readonly reason: string;
  readonly decision: "approved" | "rejected";
}

/** `cairn work approve`: somebody's word on a run that waits for it. */
export const createWorkApprove: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work approve", description: "Approve or reject a run or a call that waits" },
    args: {
      task: { type: "positional", required: true, description: "The task's id" },
      run: { type: "positional", required: false, description: "The run's id (default: the task's latest run)" },
      reason: { type: "string", required: true, description: "Why" },
      approver: { type: "string", description: "Who decides (default: USER, or the holder of the token)" },
      reject: { type: "boolean", description: "Reject it: run and task have then ended" },
      ...DATA_OPTION,
      ...WORK_OPTIONS,
    },
    async run({ args: { task: id, run, reason, reject, ...args } }) {
      const wanted: Wanted = { id, run, reason, decision: reject === true ? "rejected" : "approved" };
      const data = await findMachineData(context, args);
      const done =
        data === undefined ? await decideAsCaller(context, args, wanted) : await decide(context, data, wanted);
      context.out(`Run ${done.run_id} is ${wanted.decision}.`);
      return EXIT.OK;
    },
  });

/** Decides on this machine, as the user of the operating system. */
async function decide(context: CliContext, data: string, { id, run, ...decided }: Wanted) {
  const actor = userInfo().username;
  return withStore({ context, command: "work approve", data }, async (store) => {
    const waiting = await findWaitingRuns(store);
    const found = waiting.find(
      ({ task: { task_id }, run: { run_id } }) => (task_id === id || run_id === id) && (run ?? run_id) === run_id,
    );
    if (found === undefined) {
      const message = `No task \`${id.slice(0, 64)}\` waits for an approval; \`cairn work waiting\` lists what does.`;
      throw new CairnError("NOT_FOUND", message);
    }
    const toHead = createEventHead(createIdentifiers(context.now), randomBytes);
    return decideAsOperator({ store, now: context.now, toHead }, found, { ...decided, actor });
  });
}

interface CallerOptions {
  readonly approver?: string | undefined;
  readonly url?: string | undefined;
  readonly "token-file"?: string | undefined;
  readonly agent: string;
}

/** Asks the service, whose policies then say whether this caller may. */
async function decideAsCaller(context: CliContext, { approver: named, ...args }: CallerOptions, wanted: Wanted) {
  const { id: task_id, run, reason, decision } = wanted;
  const name = named ?? context.environment["USER"] ?? "";
  // Where no token is needed, this name tells the one who decides from the one whose worker did it.
  const person = name.replaceAll(/[^A-Za-z0-9._@-]+/g, "-").slice(0, PERSON_LENGTH) || undefined;
  const instead = `On the machine of the service, \`cairn work approve ${task_id} --data <its data folder> --reason "..."\` decides.`;
  return withWorkServer(context, { ...args, instead, ...defined({ person }) }, PATIENCE, async (client, service) => {
    const approver = name || (await loadActor(service));
    const run_id = run ?? (await client.taskStatus({ task_id })).run?.run_id;
    if (run_id === undefined) throw new CairnError("CONFLICT", `Task \`${task_id}\` has no run that waits.`);
    return client.approvalWrite({ task_id, run_id, approver, reason, decision });
  });
}

/** Asks the service who the holder of the token is. */
async function loadActor(service: ServiceAccess): Promise<string> {
  if (service.token === undefined) {
    throw new CairnError("BAD_REQUEST", "Nobody is named who decides: give `--approver`, or set USER.");
  }
  const { actor } = (await askService(service, "/me")) as { readonly actor: string };
  return actor;
}
