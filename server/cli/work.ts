import { createCommand, type CreateCommand } from "./command.ts";
import { createWorkApprove } from "./work-approve.ts";
import { createWorkArtifact } from "./work-artifact.ts";
import { createWorkCancel } from "./work-cancel.ts";
import { createWorkCreate } from "./work-create.ts";
import { createWorkList } from "./work-list.ts";
import { createWorkStatus } from "./work-status.ts";
import { createWorkWatch } from "./work-watch.ts";

/** `cairn work ...`: what people do with tasks. */
export const createWorkCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work", description: "Ask a running service for work, follow it, approve it" },
    subCommands: {
      create: createWorkCreate(context),
      list: createWorkList(context),
      status: createWorkStatus(context),
      watch: createWorkWatch(context),
      cancel: createWorkCancel(context),
      approve: createWorkApprove(context),
      artifact: createWorkArtifact(context),
    },
  });
