import { parse } from "yaml";
import type { RunPlan } from "../../../server/capabilities/knowledge/api.ts";
import type { ModelConfig } from "../../../server/config/config-model.ts";
import { openAgentPlanner } from "../../helpers/agent-planner.ts";
import type { AtEnd } from "../../helpers/temporary.ts";
import { holds } from "../checks.ts";
import type { Objective } from "./objectives.ts";

/** Outcome of an objective: the planner whose plan the service carries out, or a worker; and whether the files are right then. */
export interface Outcome {
  readonly title: string;
  readonly by: string;
  readonly isRight: boolean;
  readonly told: string;
}

/** Opens an agent's repository, in which objectives are planned and carried out. */
export async function openAgent(agent: string, atEnd: AtEnd, model?: ModelConfig) {
  const { commit, workspaces, plan } = await openAgentPlanner(agent, atEnd, model);
  return async ({ title, objective, checks }: Objective): Promise<Outcome> => {
    const runId = title.replaceAll(/\W/g, "-");
    const planned = await plan(runId, objective);
    const { by, planner, why, changes } = planned;
    const isRight = by === "service" && (await isDone(runId, planned));
    return { title, by: by === "service" ? String(planner) : by, isRight, told: [...why, ...changes].join(" ") };

    async function isDone(name: string, { diff }: RunPlan): Promise<boolean> {
      const workspace = await workspaces.create(name, commit);
      const { applied } = await workspace.fs.applyPatch(diff);
      const read = async (file: string) => (await workspace.fs.read(file)).content;
      for (const check of checks) {
        const text = await read(check.file);
        if (!applied || !holds(check.file.endsWith(".yaml") ? parse(text) : text, check)) return false;
      }
      return true;
    }
  };
}
