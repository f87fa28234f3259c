import { useQuery } from "@tanstack/react-query";
import { words } from "#words/compare.ts";
import type { VersionDifference } from "../../service/answers.ts";
import type { Finding } from "../../service/differences.ts";
import { versionUsage } from "../../service/usage.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { UsesTable } from "../../parts/uses-table.tsx";

interface Props {
  readonly from: VersionDifference["from"];
  readonly findings: readonly Finding[];
}

/** Callers of the reader's tenant that lately used what breaks; shows nothing where nothing does. */
export function Affected({ from, findings }: Props) {
  const broken = new Set(findings.filter(({ level }) => level === "major").map(({ tool }) => tool));
  const usage = useQuery({ ...versionUsage(from.commit), enabled: broken.size > 0 });
  if (broken.size === 0) return null;
  // A break that is of no tool may concern every caller.
  const uses = usage.data?.uses.filter(({ tool }) => broken.has(undefined) || (tool !== undefined && broken.has(tool)));
  return (
    <section>
      <h2>{words.affected}</h2>
      {usage.isPending && <Loading />}
      {usage.isError && <Failure error={usage.error} retry={() => void usage.refetch()} />}
      {uses !== undefined && <UsesTable caption={words.affectedWhy(from.version)} uses={uses} />}
    </section>
  );
}
