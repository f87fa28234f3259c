import { useQuery } from "@tanstack/react-query";
import { words } from "#words/version.ts";
import { versionUsage } from "../../service/usage.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** Who of the reader's tenant still uses a version, those who used it last first. */
export function Callers({ commit }: { readonly commit: string }) {
  const usage = useQuery(versionUsage(commit));
  return (
    <section>
      <h2>{words.calledBy}</h2>
      {usage.isPending && <Loading />}
      {usage.isError && <Failure error={usage.error} retry={() => void usage.refetch()} />}
      {usage.data?.uses.length === 0 && <p className="quiet">{words.noUse}</p>}
      {usage.isSuccess && usage.data.uses.length > 0 && (
        <table>
          <caption>{words.calledByWhy}</caption>
          <thead>
            <tr>
              {[words.caller, words.use, words.calls, words.reads, words.lastUse].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {usage.data.uses.map(({ actor, client, address, tool, method, calls, failed, reads, last_use: last }) => (
              <tr key={[actor, client, address, tool, method].join(" ")}>
                <th scope="row">
                  <Text>{actor}</Text>
                  {client !== undefined && (
                    <div className="limit">
                      <Text>{client}</Text>
                    </div>
                  )}
                </th>
                <td>
                  <Text>{tool ?? method ?? ""}</Text>
                </td>
                <td>
                  {calls}
                  {failed > 0 && (
                    <div className="limit">
                      {words.failed}: {failed}
                    </div>
                  )}
                </td>
                <td>{reads}</td>
                <td>
                  <Time at={last} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {usage.data?.truncated === true && <p className="quiet">{words.truncated}</p>}
    </section>
  );
}
