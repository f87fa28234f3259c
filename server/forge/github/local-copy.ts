import type { LocalRepository } from "../local/local-repository.ts";

/** The copy of the repository on this machine, from which everything is read that its host need not be asked for. */
export interface LocalCopy {
  readonly repository: LocalRepository;
  /** Brings its refs up to date. */
  sync(): Promise<void>;
  /** Copies commits with everything they need, which may be on no branch it follows. */
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
