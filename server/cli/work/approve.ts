import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** Characters of a person's name that a service takes. */
const PERSON_LENGTH = 64;

/** `cairn work approve`: somebody's word on a run that waits for it. */
export const createWorkApprove: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work approve", description: "Approve or reject a run that is blocked" },
    args: {
      task: { type: "positional", required: true, description: "The task's id" },
      run: { type: "positional", required: true, description: "The run's id" },
      reason: { type: "string", required: true, description: "Why" },
      approver: { type: "string", description: "Who decides (default: USER)" },
      reject: { type: "boolean", description: "Reject it: run and task have then ended" },
      ...WORK_OPTIONS,
    },
    async run({ args: { task: task_id, run: run_id, reason, reject, ...args } }) {
      const approver = args.approver ?? context.environment["USER"];
      if (approver === undefined || approver === "") {
        throw new CairnError("BAD_REQUEST", "Nobody is named who decides: give `--approver`, or set USER.");
      }
      // Where no token is needed, this name tells the one who decides from the one whose worker did it.
      const person = approver.replaceAll(/[^A-Za-z0-9._@-]+/g, "-").slice(0, PERSON_LENGTH) || undefined;
      const decision = reject === true ? "rejected" : "approved";
      return withWorkServer(context, { ...args, ...defined({ person }) }, PATIENCE, async (client) => {
        const { status } = await client.approvalWrite({ task_id, run_id, approver, reason, decision });
        context.out(`Run ${run_id} is ${status}.`);
        return EXIT.OK;
      });
    },
  });
