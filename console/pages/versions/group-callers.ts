import type { Usage } from "../../service/answers.ts";

/** A caller that lately called a version. */
export interface Caller {
  readonly actor: string;
  readonly calls: number;
  /** RFC 3339. */
  readonly last: string;
}

/** Groups calls by the commit of their version, and in each by caller, those who called last first. Reads are no calls. */
export function groupCallers(uses: Usage["uses"]): ReadonlyMap<string, readonly Caller[]> {
  const byCommit = Map.groupBy(
    uses.filter(({ calls }) => calls > 0),
    ({ commit }) => commit,
  );
  return new Map(
    [...byCommit].map(([commit, some]) => {
      const byActor = Map.groupBy(some, ({ actor }) => actor);
      const callers = [...byActor].map(([actor, own]) => ({
        actor,
        calls: own.reduce((sum, { calls }) => sum + calls, 0),
        last: own.reduce((latest, { last_use: at }) => (at > latest ? at : latest), ""),
      }));
      return [commit, callers.toSorted((a, b) => b.last.localeCompare(a.last))];
    }),
  );
}
