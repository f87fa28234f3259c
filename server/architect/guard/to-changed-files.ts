import type { ChangePlan } from "../planners/plan.ts";
import type { Ground } from "../planners/planner.ts";
import type { ChangedFile } from "./overreach.ts";

/** Puts the files of a plan beside what a commit has in their places. */
export function toChangedFiles(
  files: ChangePlan["files"],
  ground: Pick<Ground, "files" | "readText">,
): Promise<readonly ChangedFile[]> {
  return Promise.all(
    [...files].map(async ([path, after]) => {
      const before = ground.files.includes(path) ? await ground.readText(path) : undefined;
      return { path, before, after: after ?? undefined };
    }),
  );
}
