import { hash } from "node:crypto";
import type { Git } from "../git/git.ts";
import { REFS_SEEN } from "../../store/node-keys.ts";
import type { Store } from "../../store/store.ts";
import { createSerial } from "../../serial.ts";
import type { Registry } from "./registry-types.ts";

export interface ShareRefsOptions {
  readonly git: Git;
  readonly store: Pick<Store, "get" | "commit" | "watch">;
  readonly registry: Pick<Registry, "mirror" | "refresh" | "subscribe">;
  readonly onError: (error: unknown) => void;
}

/** Refs that versions and what is said of them come from. */
const SHARED = ["refs/heads", "refs/tags"];

/**
 * Has every node of a store look at the repository as soon as one of them finds other refs there: a webhook, or a look of its own,
 * reaches one node. A node tells of its refs only when they have changed, so that nodes which see different things do not go on
 * telling each other. Returns "stop".
 */
export function shareRefs({ git, store, registry, onError }: ShareRefsOptions): () => void {
  const inTurn = createSerial();
  const soon = (work: () => Promise<unknown>) => void inTurn(work).catch(onError);
  let own: string | undefined;

  const readSeen = async () => (await store.get(REFS_SEEN))?.value;

  const tell = async () => {
    const listed = await git.run([
      `--git-dir=${registry.mirror}`,
      "for-each-ref",
      "--format=%(objectname) %(refname)",
      ...SHARED,
    ]);
    const digest = hash("sha256", listed);
    if (digest === own) return;
    own = digest;
    if ((await readSeen()) !== digest) await store.commit({ set: [{ key: REFS_SEEN, value: digest }] });
  };
  const look = async () => {
    const seen = await readSeen();
    if (seen !== undefined && seen !== own) await registry.refresh();
  };

  const unwatch = store.watch(REFS_SEEN, () => soon(look));
  const unsubscribe = registry.subscribe(({ kind }) => {
    if (kind === "refs") soon(tell);
  });
  soon(tell);
  return () => {
    unwatch();
    unsubscribe();
  };
}
