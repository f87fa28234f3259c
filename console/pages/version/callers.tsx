import { useQuery } from "@tanstack/react-query";
import { words } from "#words/version.ts";
import { versionUsage } from "../../service/usage.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { UsesTable } from "../../parts/uses-table.tsx";

/** Callers of the reader's tenant that still use a version, those who used it last first. */
export function Callers({ commit }: { readonly commit: string }) {
  const usage = useQuery(versionUsage(commit));
  return (
    <section>
      <h2>{words.calledBy}</h2>
      {usage.isPending && <Loading />}
      {usage.isError && <Failure error={usage.error} retry={() => void usage.refetch()} />}
      {usage.isSuccess && <UsesTable caption={words.calledByWhy} uses={usage.data.uses} />}
      {usage.data?.truncated === true && <p className="quiet">{words.truncated}</p>}
    </section>
  );
}
