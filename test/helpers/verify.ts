import { onTestFinished } from "vitest";
import { createSharedTrial } from "../../server/architect/pipeline/verify/shared-trial.ts";
import type { SharedTrial } from "../../server/architect/pipeline/verify/shared-trial.ts";
import { createVerify, type VerifyRequest } from "../../server/architect/pipeline/verify/create-verify.ts";
import type { Verification } from "../../server/architect/pipeline/verify/verification.ts";
import type { Against } from "../../server/semver/plan-raise.ts";
import { judgeClaim } from "../../server/semver/judge-claim.ts";
import { openTrial } from "../../server/examples/open-trial.ts";
import type { Store } from "../../server/store/store.ts";
import { loadGit } from "../../server/versions/git/git.ts";
import { createGitTrees } from "../../server/versions/git/git-tree.ts";
import { openObjectReader } from "../../server/versions/git/object-reader.ts";
import { createLoader, type Loader } from "../../server/versions/load-version.ts";
import { type Readable, readTextOf } from "../../server/versions/read-text-of.ts";
import { openJudge, type RepositoryJudge } from "../../server/versions/registry/judge/open-judge.ts";
import type { Sandbox } from "../../server/capabilities/workspace/sandbox/probe-sandbox.ts";
import { openTestStore } from "./store.ts";
import { openTestWorkspace, type TestWorkspace } from "./workspace.ts";

export interface VerifyBench extends TestWorkspace {
  readonly loader: Loader;
  readonly store: Store;
  readonly before: Readable;
  /** Of the repository, in which the commit is tagged with its number. */
  readonly judge: RepositoryJudge;
  readonly against: Against;
  /** Writes files into the workspace (`null` is not for here) and tries what has become of it. */
  verify(files: Readonly<Record<string, string>>, more?: Partial<VerifyRequest>): Promise<Verification>;
}

/** A workspace at a commit of these files, and what changes of them are tried with. */
export async function openVerifyBench(
  files: Readonly<Record<string, string>>,
  options: { readonly sandbox?: Sandbox; readonly trial?: SharedTrial } = {},
): Promise<VerifyBench> {
  const opened = await openTestWorkspace(files, options);
  const loader = createLoader();
  const before = await readVersion(opened, opened.commit, loader);
  await opened.repository.tag(`v${before.version.semver}`, opened.commit);
  const judge = await openJudge({
    git: await loadGit({ environment: process.env }),
    gitDir: `${opened.repository.path}/.git`,
    loader,
    judge: judgeClaim,
  });
  onTestFinished(() => judge.close());
  const store = await openTestStore();
  const trial = options.trial ?? createSharedTrial(() => openTrial({ egressMap: new Map(), now: Date.now }));
  if (options.trial === undefined) onTestFinished(() => trial.close());
  const verify = createVerify({
    loader,
    store,
    findResult: async () => undefined,
    trial,
    judge: (candidate) => judge.judge(candidate, undefined),
    now: Date.now,
  });
  return {
    ...opened,
    loader,
    store,
    before,
    judge,
    against: {
      findBases: (version) => judge.findBases(version, undefined),
      load: async (commit) => (await readVersion(opened, commit, loader)).version,
    },
    verify: async (changes, more = {}) => {
      for (const [path, text] of Object.entries(changes)) await opened.workspace.fs.write(path, text);
      return verify({
        before,
        workspace: opened.workspace,
        changed: Object.keys(changes),
        tenant: "local",
        signal: new AbortController().signal,
        ...more,
      });
    },
  };
}

async function readVersion({ repository }: TestWorkspace, commit: string, loader: Loader): Promise<Readable> {
  const git = await loadGit({ environment: process.env });
  const objects = openObjectReader(git, `${repository.path}/.git`);
  onTestFinished(() => objects.close());
  const read = await createGitTrees(objects)(commit);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const loaded = await loader.load(read.tree, commit);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return { version: loaded.version, readText: (file) => readTextOf(read.tree, file) };
}
