import { useQuery } from "@tanstack/react-query";
import { words } from "#words/settings.ts";
import type { Sync } from "../../service/answers.ts";
import { sync } from "../../service/service-state.ts";
import { Badge } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** The repository that versions come from: when it was last read, and what could not be. */
export function SyncState() {
  const { data, error, isError, refetch } = useQuery(sync);
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const { upstream, syncs, last_success: read, failing_since: failing, last_failure: failure, versions } = data;
  return (
    <section className="part">
      <h2>
        {words.repository} <Badge state={failing === undefined ? "pass" : "warn"} />
      </h2>
      <dl className="facts">
        <dt>{words.upstream}</dt>
        <dd>
          <Text>{upstream}</Text>
        </dd>
        <dt>{words.lastRead}</dt>
        <dd>
          {read === undefined ? words.never : <Time at={read} />}
          <span>{words.reads(syncs.succeeded, syncs.failed)}</span>
        </dd>
        {failing !== undefined && (
          <>
            <dt>{words.failingSince}</dt>
            <dd>
              <Time at={failing} /> <Text>{failure?.message ?? ""}</Text>
            </dd>
          </>
        )}
        <dt>{words.versions}</dt>
        <dd>{words.versionCounts(versions.served, versions.quarantined, versions.unverified, data.pull_requests)}</dd>
        <dt>{words.labels}</dt>
        <dd>
          <Text>
            {Object.entries(data.labels)
              .map(([label, version]) => `${label}: ${version}`)
              .join(", ") || words.none}
          </Text>
        </dd>
      </dl>
      <Troubles sync={data} />
    </section>
  );
}

/** Tags and labels of the repository that are not as they should be. */
function Troubles({ sync: { alarms, missing, label_problems: labels } }: { readonly sync: Sync }) {
  const lines = [
    ...alarms.map(({ tag, kind }) => words.alarm(tag, kind)),
    ...missing.map(({ version, reason }) => words.missing(version, reason)),
    ...labels.map(({ file, line, column, message, fix }) => `${file}:${line}:${column}: ${message} ${fix}`),
  ];
  if (lines.length === 0) return null;
  return (
    <ul>
      {lines.map((line) => (
        <li key={line} className="warning">
          <Text>{line}</Text>
        </li>
      ))}
    </ul>
  );
}
