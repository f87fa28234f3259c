import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { createPlanners } from "../../server/app/create-planners.ts";
import { createPlanObjective } from "../../server/architect/objectives/create-plan-objective.ts";
import { createCommitFiles } from "../../server/architect/pipeline/commit-files.ts";
import { createSharedTrial } from "../../server/architect/pipeline/verify/shared-trial.ts";
import { createVerify } from "../../server/architect/pipeline/verify/create-verify.ts";
import { openWorkspaces } from "../../server/capabilities/workspace/open-workspaces.ts";
import type { ModelConfig } from "../../server/config/config-model.ts";
import { CairnError } from "../../server/errors.ts";
import { openTrial } from "../../server/examples/open-trial.ts";
import { defined } from "../../server/json/defined.ts";
import { SHAPES_ONLY } from "../../server/log/redact.ts";
import { loadDirectoryTree } from "../../server/versions/git/directory-tree.ts";
import { loadGit } from "../../server/versions/git/git.ts";
import { openObjectReader } from "../../server/versions/git/object-reader.ts";
import { loader } from "./loader.ts";
import { createRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

/** Opens the repository of an agent of `test/evaluation/agents`, in which objectives are planned as the service does. */
export async function openAgentPlanner(agent: string, atEnd: AtEnd, model?: ModelConfig) {
  const source = join("test", "evaluation", "agents", agent);
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
    now: Date.now,
    planners: createPlanners({ config: defined({ model }), now: Date.now, redactor: SHAPES_ONLY }),
    read: async () => version,
    filesOf: createCommitFiles({ git, gitDir, reader }),
    workspaces,
    verify,
    redactor: SHAPES_ONLY,
  });

  const plan = (runId: string, objective: string, choice?: string) =>
    planObjective({
      runId,
      commit,
      tenant: "local",
      objective,
      choice,
      propose: async () => {
        throw new CairnError("CONFLICT", "Nothing is known yet.");
      },
      signal: new AbortController().signal,
      onStep: () => undefined,
    });
  return { commit, workspaces, plan };
}
