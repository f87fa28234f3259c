import { createCommand, type CreateCommand } from "../command.ts";
import { createWorkAnswer } from "./answer.ts";
import { createWorkApprove } from "./approve.ts";
import { createWorkArtifact } from "./artifact.ts";
import { createWorkCancel } from "./cancel.ts";
import { createWorkCreate } from "./create.ts";
import { createWorkList } from "./list.ts";
import { createWorkReport } from "./report.ts";
import { createWorkStatus } from "./status.ts";
import { createWorkWaiting } from "./waiting.ts";
import { createWorkWatch } from "./watch.ts";

/** `cairn work ...`: what people do with tasks. */
export const createWorkCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work", description: "Ask a running service for work, follow it, approve it" },
    subCommands: {
      create: createWorkCreate(context),
      list: createWorkList(context),
      status: createWorkStatus(context),
      watch: createWorkWatch(context),
      answer: createWorkAnswer(context),
      cancel: createWorkCancel(context),
      waiting: createWorkWaiting(context),
      approve: createWorkApprove(context),
      report: createWorkReport(context),
      artifact: createWorkArtifact(context),
    },
  });
