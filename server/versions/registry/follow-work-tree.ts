import { coalesce } from "./coalesce.ts";
import type { Git } from "../git/git.ts";
import type { Registry } from "./registry-types.ts";
import { takeSnapshot } from "../git/snapshot.ts";
import type { Loaded, Version } from "../version.ts";
import { watchFolders } from "../mirror/watch-folders.ts";

/** Editors write in several steps. */
const DEBOUNCE_MS = 60;

/** Keeps `dev` at what the files of a checkout are now, as long as they can be served. */
export interface WorkTree {
  /** Takes the files as they are now; `undefined` when they are as they were. */
  update(): Promise<Loaded | undefined>;
  close(): Promise<void>;
}

export async function followWorkTree(options: {
  readonly git: Git;
  readonly checkout: string;
  readonly registry: Pick<Registry, "mirror" | "offerDev">;
  readonly onError: (error: unknown) => void;
  /** Hears of each state of the files that can be served. */
  readonly onWorkTree?: (version: Version) => Promise<void>;
}): Promise<WorkTree> {
  const { git, checkout, registry, onError, onWorkTree } = options;
  let last: string | undefined;

  const coalesced = coalesce<Loaded | undefined>(
    async () => {
      const commit = await takeSnapshot({ git, checkout, mirror: registry.mirror });
      if (commit === last) return undefined;
      const loaded = await registry.offerDev(commit);
      last = commit;
      if (loaded.ok) await onWorkTree?.(loaded.version);
      return loaded;
    },
    { debounceMs: DEBOUNCE_MS, onError },
  );
  const stop = watchFolders(checkout, /^(?:versions\.yaml|manifests|tools|schemas|\.gitignore)$/, coalesced.trigger);
  await coalesced.run();
  return Object.freeze({
    update: coalesced.run,
    close: async () => {
      stop();
      await coalesced.close();
    },
  });
}
