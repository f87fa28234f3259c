import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { createPlanners } from "../../../server/app/create-planners.ts";
import { createPlanObjective } from "../../../server/architect/objectives/create-plan-objective.ts";
import { createCommitFiles } from "../../../server/architect/pipeline/commit-files.ts";
import { createSharedTrial } from "../../../server/architect/pipeline/verify/shared-trial.ts";
import { createVerify } from "../../../server/architect/pipeline/verify/create-verify.ts";
import type { RunPlan } from "../../../server/capabilities/knowledge/api.ts";
import { openWorkspaces } from "../../../server/capabilities/workspace/open-workspaces.ts";
import type { ModelConfig } from "../../../server/config/config-model.ts";
import { CairnError } from "../../../server/errors.ts";
import { openTrial } from "../../../server/examples/open-trial.ts";
import { defined } from "../../../server/json/defined.ts";
import { SHAPES_ONLY } from "../../../server/log/redact.ts";
import { loadDirectoryTree } from "../../../server/versions/git/directory-tree.ts";
import { loadGit } from "../../../server/versions/git/git.ts";
import { openObjectReader } from "../../../server/versions/git/object-reader.ts";
import { loader } from "../../helpers/loader.ts";
import { createRepository } from "../../helpers/repository.ts";
import { type AtEnd, temporaryFolder } from "../../helpers/temporary.ts";
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
  const source = join(import.meta.dirname, "..", "agents", agent);
  const files: Record<string, string> = {};
  for await (const file of glob("**/*.{md,ts,yaml}", { cwd: source }))
    files[file] = readFileSync(join(source, file), "utf8");
  const folder = await temporaryFolder(atEnd);
  const repository = await createRepository(join(folder, "repository"));
  const commit = await repository.commit(files);
  const git = await loadGit({ environment: process.env });
  const read = await loadDirectoryTree(repository.path);
  if (!read.ok) throw new Error(`${agent} cannot be read`);
  const loaded = await loader.load(read.tree, commit);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { version } = loaded;
  const gitDir = join(repository.path, ".git");
  const reader = openObjectReader(git, gitDir);
  atEnd(async () => reader.close());
  const sandbox = { available: false, reason: "no commands are run" } as const;
  const workspaces = await openWorkspaces({
    git,
    repository: repository.path,
    folder: join(folder, "runs"),
    sandbox,
    now: Date.now,
  });
  atEnd(() => workspaces.close());
  const trial = createSharedTrial(() => openTrial({ egressMap: new Map(), now: Date.now }));
  atEnd(() => trial.close());
  const verify = createVerify({
    loader,
    store: { scan: async function* () {} },
    findResult: async () => undefined,
    trial,
    judge: async () => ({ problems: [], bases: [], presumed: [] }),
    now: Date.now,
  });
  const planObjective = createPlanObjective({
    planners: createPlanners({ config: defined({ model }), now: Date.now, redactor: SHAPES_ONLY }),
    read: async () => version,
    filesOf: createCommitFiles({ git, gitDir, reader }),
    workspaces,
    verify,
    redactor: SHAPES_ONLY,
  });

  return async ({ title, objective, checks }: Objective): Promise<Outcome> => {
    const runId = title.replaceAll(/\W/g, "-");
    const planned = await planObjective({
      runId,
      commit,
      tenant: "local",
      objective,
      propose: async () => {
        throw new CairnError("CONFLICT", "Nothing is known yet.");
      },
      signal: new AbortController().signal,
      onStep: () => undefined,
    });
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
