import { type Architect, openArchitect } from "../architect/open-architect.ts";
import type { ReadView } from "../architect/pipeline/load-attachments.ts";
import { createChangeReader } from "../architect/renewals/create-change-reader.ts";
import { createRepository } from "../architect/pipeline/repository.ts";
import type { Audit } from "../kernel/audit/audit.ts";
import type { ToPrincipal } from "../auth/to-principal.ts";
import type { Config } from "../config/config.ts";
import type { Nodes } from "../instance/nodes.ts";
import type { Redactor } from "../log/redact.ts";
import { createResourceFinder } from "../protocol/resource-finder.ts";
import { findProvider, type Provider, toText } from "../resources/provider.ts";
import type { Store } from "../store/store.ts";
import { openFetcher } from "../capabilities/fetch/open-fetcher.ts";
import type { Ledgers } from "../capabilities/tuner/ledgers.ts";
import type { Git } from "../versions/git/git.ts";
import type { Loader } from "../versions/load-version.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import { findUsableForge, type OpenedForge } from "./open-forge.ts";
import type { Work } from "./open-work.ts";
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
  /** False for a worker that leaves to the first what one of them does for all. */
  readonly isFirst: boolean;
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
    conducts: options.isFirst,
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

/** Reads what a URI shows on the first of the servers that has it, as a client of that server would read it. */
function createReadView(providers: Readonly<Record<string, Provider>>): ReadView {
  return async (version, principal, servers, uri) => {
    for (const name of servers) {
      const server = version.servers.get(name);
      const found = server && createResourceFinder(server)(uri);
      if (server === undefined || found === undefined) continue;
      const { source, mimeType } = found.resource;
      if (source.kind === "text") return { mediaType: mimeType ?? "text/plain", text: source.text };
      if (source.kind !== "provider") continue;
      const content = await findProvider(
        providers,
        source.provider,
      )({
        version,
        server,
        principal,
        uri,
        variables: found.variables,
      });
      const type = typeof content === "string" ? "text/plain" : "application/json";
      return { mediaType: mimeType ?? type, text: toText(content) };
    }
    return undefined;
  };
}
