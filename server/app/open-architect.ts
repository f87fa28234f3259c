import { type Architect, openArchitect } from "../architect/open-architect.ts";
import { createChangeReader } from "../architect/renewals/create-change-reader.ts";
import { createRepository } from "../architect/pipeline/repository.ts";
import type { Audit } from "../kernel/audit/audit.ts";
import type { ToPrincipal } from "../auth/to-principal.ts";
import type { Config } from "../config/config.ts";
import type { Nodes } from "../instance/nodes.ts";
import type { Redactor } from "../log/redact.ts";
import type { Provider } from "../resources/provider.ts";
import type { Store } from "../store/store.ts";
import { openFetcher } from "../capabilities/fetch/open-fetcher.ts";
import type { Ledgers } from "../capabilities/tuner/ledgers.ts";
import type { Git } from "../versions/git/git.ts";
import type { Loader } from "../versions/load-version.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { OpenedForge } from "./open-forge.ts";
import type { Work } from "./open-work.ts";
import { findUsableForge } from "./find-usable-forge.ts";
import { createReadView } from "./read-view.ts";
import { defined } from "../json/defined.ts";

export interface ArchitectServiceOptions {
  readonly config: Config;
  readonly git: Git;
  readonly store: Store;
  readonly registry: Registry;
  readonly toPrincipal: ToPrincipal;
  readonly forge: OpenedForge;
  readonly loader: Loader;
  readonly work: Pick<Work, "workspaces" | "verification" | "capabilities" | "planners">;
  readonly ledgers: Ledgers;
  readonly settled: () => Promise<void>;
  readonly audit: Audit;
  readonly providers: Readonly<Record<string, Provider>>;
  readonly redactor: Redactor;
  readonly createId: () => string;
  readonly now: () => number;
  readonly storeTime: () => number;
  /** Absent where the store is this service's alone. */
  readonly nodes?: Nodes;
  readonly onError: (error: unknown) => void;
}

/** Name of the check under which the forge gets what was verified here. */
const CHECK = "cairn";

/** The Architect with everything that this service has for it. */
export async function openServiceArchitect(
  options: ArchitectServiceOptions,
): Promise<{ readonly architect: Architect; close(): Promise<void> }> {
  const { forge: opened, ...rest } = options;
  const { config, git, registry, work, providers } = rest;
  const { verify, trial, filesOf } = work.verification;
  const { baseBranch, onNudge } = opened;
  const { forge, why } = findUsableForge(config, opened);
  const gitDir = registry.mirror;
  const onRefs = (listener: () => void) => {
    registry.subscribe(({ kind }) => {
      if (kind === "refs") listener();
    });
  };
  const semverOf = async (commit: string) => (await registry.read(commit)).semver;
  const fetcher = openFetcher({ ...config, revoked: registry.revoked });
  const repository = createRepository({ git, gitDir, defaultBranch: baseBranch, onRefs, semverOf });
  const architect = await openArchitect({
    ...rest,
    ...defined({ findApprovalGap: work.capabilities.findApprovalGap }),
    workspaces: work.workspaces,
    filesOf,
    planners: work.planners,
    verify,
    // Whoever uses it hears why it cannot be opened.
    prepare: () => void trial.use(async () => undefined).catch(() => undefined),
    ...defined({ forge, whyNoForge: why }),
    repository,
    changes: createChangeReader({ git, gitDir }),
    checkName: CHECK,
    attachments: { readView: createReadView(providers), fetcher },
    pollMs: opened.pollMs,
    isShared: options.nodes !== undefined,
    // Others' checks may take days.
    landsAtOnce: opened.required?.every((name) => name === CHECK) === true,
  });
  const stop = onNudge(architect.nudge);

  return {
    architect,
    async close() {
      stop();
      await architect.close();
      await fetcher.close();
    },
  };
}
