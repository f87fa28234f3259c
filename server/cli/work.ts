import { createCommand, type CreateCommand } from "./command.ts";
import { createWorkApprove } from "./work-approve.ts";
import { createWorkArtifact } from "./work-artifact.ts";
import { createWorkCancel } from "./work-cancel.ts";
import { createWorkCreate } from "./work-create.ts";
import { createWorkList } from "./work-list.ts";
import { createWorkStatus } from "./work-status.ts";
import { createWorkWatch } from "./work-watch.ts";

/** `cairn work ...`: what people do with tasks. */
export const createWorkCommand: CreateCommand = (surroundings) =>
  createCommand({
    meta: { name: "work", description: "Ask a running service for work, follow it, approve it" },
    subCommands: {
      create: createWorkCreate(surroundings),
      list: createWorkList(surroundings),
      status: createWorkStatus(surroundings),
      watch: createWorkWatch(surroundings),
      cancel: createWorkCancel(surroundings),
      approve: createWorkApprove(surroundings),
      artifact: createWorkArtifact(surroundings),
    },
  });
