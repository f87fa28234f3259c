import { CairnError } from "../../errors.ts";
import type { LocalRepository } from "../local/local-repository.ts";

/** The copy of the repository on this machine, from which everything is read that its host need not be asked for. */
export interface LocalCopy {
  readonly repository: LocalRepository;
  /** Brings its refs up to date, and copies commits with everything they need, which may be on no branch it follows. */
  fetch(oids: readonly string[]): Promise<void>;
}

/** The modes of all files of a commit, by path. */
export async function loadModes({ repository }: LocalCopy, commit: string): Promise<ReadonlyMap<string, string>> {
  const listing = await repository.run(["ls-tree", "-r", "-z", "--full-tree", commit]);
  return new Map(
    listing
      .split("\0")
      .filter(Boolean)
      .map((line) => [line.slice(line.indexOf("\t") + 1), line.slice(0, line.indexOf(" "))]),
  );
}

/** Brings the mirror up to date; never rejects because of what it finds. */
interface MirrorRefresh {
  refresh(): Promise<{ readonly ok: boolean; readonly message?: string }>;
}

/** Creates a copy of the mirror, which alone decides what is brought into it: all branches and heads of pull requests are. */
export function createMirrorCopy(repository: LocalCopy["repository"], mirror: MirrorRefresh): LocalCopy {
  return {
    repository,
    async fetch(oids) {
      const { ok, message = "it cannot be read" } = await mirror.refresh();
      if (!ok) throw new CairnError("UPSTREAM_ERROR", message);
      for (const oid of oids) {
        if (await repository.hasCommit(oid)) continue;
        throw new CairnError(
          "NOT_FOUND",
          `No branch or pull request of the repository leads to the commit \`${oid}\`.`,
        );
      }
    },
  };
}
