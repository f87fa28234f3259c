import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "wouter";
import { words } from "#words/versions.ts";
import type { VersionDetail, VersionList } from "../../service/answers.ts";
import { toVersionAddress } from "../../parts/addresses.ts";
import { Failure } from "../../parts/failure.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";
import { Graph } from "./graph.tsx";
import type { GraphRow } from "./lay-out-graph.ts";

/** Digits of a commit that people compare. */
const SHORT = 10;
/** Tags that the row shows by its state already. */
const STATES = new Set(["quarantined", "unserved"]);

interface Props {
  readonly version: VersionList["versions"][number];
  readonly detail: UseQueryResult<VersionDetail>;
  readonly row: GraphRow;
  readonly width: number;
}

/** One version of the timeline. */
export function VersionRow({ version, detail, row, width }: Props) {
  const { data } = detail;
  const name = data?.tag?.slice(1) ?? data?.semver ?? version.version;
  const tags = (version.tags ?? []).filter((tag) => !STATES.has(tag) && tag !== data?.build);
  const status = version.tests?.status ?? "unknown";
  const state = data?.state ?? (version.tags?.includes("quarantined") === true ? "quarantined" : "served");
  return (
    <li className="version">
      <Graph row={row} width={width} state={state} />
      <div className="version-body">
        <h2>
          <Link href={toVersionAddress(state === "served" ? name : version.commit_hash)}>
            <Text>{name}</Text>
          </Link>
          <span className="badge" data-kind={state}>
            {words.states[state]}
          </span>
          {state !== "quarantined" && (
            <span className="badge" data-kind={`tests-${status}`}>
              {words.tests[status]}
            </span>
          )}
          {tags.map((tag) => (
            <span key={tag} className="badge" data-kind="label">
              <Text>{tag}</Text>
            </span>
          ))}
        </h2>
        <p className="quiet">
          <code title={version.commit_hash}>{version.commit_hash.slice(0, SHORT)}</code>
          {version.created_at !== undefined && <Time at={version.created_at} />}
          {data?.parent && <Text>{words.from(data.parent.version ?? data.parent.named)}</Text>}
        </p>
        {detail.isError && <Failure error={detail.error} />}
        {data !== undefined && <Changes detail={data} />}
        {data !== undefined && data.problems.length > 0 && <Problems problems={data.problems} />}
      </div>
    </li>
  );
}

function Changes({ detail: { changes, deprecated } }: { readonly detail: VersionDetail }) {
  return (
    <>
      {deprecated !== undefined && (
        <p>
          <Text>{`${deprecated.since}: ${deprecated.reason}`}</Text>
        </p>
      )}
      {changes.length > 0 && (
        <ul>
          {changes.map((change) => (
            <li key={change}>
              <Text>{change}</Text>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The reasons of a quarantine: where, what is wrong, and what would be right. */
function Problems({ problems }: { readonly problems: VersionDetail["problems"] }) {
  return (
    <details className="problems" open>
      <summary>{words.why}</summary>
      <ul>
        {problems.map(({ file, line, column, rule, message, fix }) => (
          <li key={`${file}:${line}:${column}:${rule}:${message}`}>
            <code>
              <Text>{`${file}:${line}:${column}`}</Text>
            </code>
            <p>
              <Text>{message}</Text>
            </p>
            <p>
              <strong>{words.fix}: </strong>
              <Text>{fix}</Text>
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
