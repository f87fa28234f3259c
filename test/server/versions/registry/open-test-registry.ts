import { join } from "node:path";
import { load } from "js-yaml";
import { onTestFinished } from "vitest";
import { judgeClaim } from "../../../../server/semver/judge-claim.ts";
import { openLmdbStore } from "../../../../server/store/lmdb/lmdb.ts";
import type { Store } from "../../../../server/store/store.ts";
import type { Git } from "../../../../server/versions/git/git.ts";
import type { LoadHistory } from "../../../../server/versions/mirror/labels.ts";
import type { Neighbours } from "../../../../server/versions/registry/neighbours.ts";
import { openRegistry } from "../../../../server/versions/registry/registry.ts";
import type { Registry, RegistryEvent, RegistryLimits } from "../../../../server/versions/registry/registry-types.ts";
import { loader } from "../../../helpers/loader.ts";
import type { Tree } from "../../../../server/versions/tree.ts";
import { readUpstream } from "../../../../server/versions/git/upstream.ts";
import type { Loaded } from "../../../../server/versions/version.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { loadTestGit } from "../../../helpers/repository.ts";

const { loadRevoked } = loader;

export interface TestRegistry extends Registry {
  readonly data: string;
  readonly store: Store;
  /** All but that refs are others. */
  readonly events: RegistryEvent[];
  readonly errors: unknown[];
  /** Commits that the loader was given, in order. */
  readonly loads: string[];
}

export interface TestRegistryOptions {
  readonly data?: string;
  readonly git?: Git;
  readonly limits?: Partial<RegistryLimits>;
  readonly load?: (tree: Tree, commit: string) => Promise<Loaded>;
  readonly fingerprint?: string;
  readonly signers?: string;
  readonly previews?: boolean;
  readonly now?: () => number;
  readonly wrapStore?: (store: Store) => Store;
  readonly neighbours?: Neighbours;
}

/** A registry over `repository` that looks at it only when told to, unless `limits` say otherwise. */
export async function openTestRegistry(repository: string, options: TestRegistryOptions = {}): Promise<TestRegistry> {
  const data = options.data ?? (await temporaryFolder());
  const store = await openLmdbStore({ directory: join(data, "store") });
  const [events, errors, loads]: [RegistryEvent[], unknown[], string[]] = [[], [], []];
  const open = openRegistry({
    git: options.git ?? (await loadTestGit()),
    upstream: { ...readUpstream(repository, "/"), proposals: ["refs/pull/*/head"] },
    data,
    store: options.wrapStore?.(store) ?? store,
    load: (tree, commit) => {
      loads.push(commit);
      return (options.load ?? loadTestVersion)(tree, commit);
    },
    loadHistory: loadTestHistory,
    loadRevoked,
    judge: judgeClaim,
    fingerprint: options.fingerprint ?? "rules-1",
    signers: options.signers,
    previews: options.previews ?? false,
    now: options.now ?? Date.now,
    random: () => 0.5,
    onError: (error) => errors.push(error),
    ...(options.neighbours && { neighbours: options.neighbours }),
    limits: { sweep: false, watch: false, pollMs: 3_600_000, lookAgainMs: 0, startMs: 20_000, ...options.limits },
  });
  const registry = await open.catch(async (error: unknown) => {
    await store.admin.close();
    throw error;
  });
  registry.subscribe((event) => {
    if (event.kind !== "refs") events.push(event);
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= registry.close().then(() => store.admin.close()));
  onTestFinished(close);
  return { ...registry, close, data, store, events, errors, loads };
}

/** Takes any tree with a `current` in versions.yaml, unless it holds `manifests/broken.yaml` or a symlink. */
export async function loadTestVersion(tree: Tree, commit: string): Promise<Loaded> {
  const bad = [...tree.entries].find(([path, { kind }]) => path === "manifests/broken.yaml" || kind !== "file");
  if (bad !== undefined) return { ok: false, problems: [problem(bad[0], "is broken")] };
  const loaded = await loadTestHistory(tree);
  if (!loaded.ok) return loaded;
  const { history } = loaded;
  const version = createTestVersion({ commit, semver: history.current, servers: [{ name: "runner" }] });
  return { ok: true, version: { ...version, history } };
}

export const loadTestHistory: LoadHistory = async (tree) => {
  const entry = tree.entries.get("versions.yaml");
  const bytes = entry && (await tree.read(entry, 100_000));
  const value: unknown = bytes === undefined ? undefined : load(Buffer.from(bytes).toString());
  if (typeof value !== "object" || value === null || !("current" in value) || typeof value.current !== "string") {
    return { ok: false, problems: [problem("versions.yaml", "has no `current`")] };
  }
  const labels = "labels" in value && typeof value.labels === "object" ? Object.entries(value.labels ?? {}) : [];
  const [current = ""] = value.current.split("+");
  const parent = "parent" in value ? { parent: String(value.parent) } : {};
  const named = labels.map(([label, target]): [string, string] => [label, String(target)]);
  return {
    ok: true,
    history: { current, labels: new Map(named), versions: new Map([[current, { ...parent, changes: [] }]]) },
  };
};

function problem(file: string, message: string) {
  return { file, line: 1, column: 1, rule: "test", message: `${file} ${message}`, fix: "Mend it." };
}
