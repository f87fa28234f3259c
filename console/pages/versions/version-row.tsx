import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { words } from "#words/versions.ts";
import type { VersionDetail } from "../../service/answers.ts";
import { type GraphVersion, toState, toVersionName, versionDetail } from "../../service/versions.ts";
import { toVersionAddress } from "../../parts/addresses.ts";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";
import { Graph } from "./graph.tsx";
import type { Caller } from "./group-callers.ts";
import type { GraphRow } from "./lay-out-graph.ts";

/** Digits of a commit that people compare. */
const SHORT = 10;
/** Tags that the row shows by its state already. */
const STATES = new Set(["quarantined", "unserved", "retired"]);
/** Callers that are named. */
const NAMED = 5;

interface Props {
  readonly version: GraphVersion;
  readonly row: GraphRow;
  readonly width: number;
  /** True while the list scrolls: then nothing is asked about it. */
  readonly isMoving: boolean;
  /** Absent: the reader may not know. */
  readonly callers?: readonly Caller[];
}

/** One version of the timeline. */
export function VersionRow({ version, row, width, isMoving, callers }: Props) {
  const { state, build, parent, problems, deprecated, created_at: created, commit_hash: commit } = version;
  const detail = useQuery({ ...versionDetail(commit), enabled: !isMoving });
  const name = toVersionName(version);
  const shown = toState(version);
  const tags = version.tags.filter((tag) => !STATES.has(tag) && tag !== build);
  const status = toStatus(version.tests["status"]);
  return (
    <div className="version">
      <Graph row={row} width={width} state={state} />
      <div className="version-body">
        <h2>
          <Link href={toVersionAddress(state === "served" ? name : commit)}>
            <Text>{name}</Text>
          </Link>
          <span className="badge" data-kind={shown}>
            {words.states[shown]}
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
          <code title={commit}>{commit.slice(0, SHORT)}</code>
          <Time at={created} />
          {parent !== null && <Text>{words.from(parent)}</Text>}
        </p>
        {callers !== undefined && state === "served" && <Callers callers={callers} />}
        {deprecated !== undefined && (
          <p>
            <Text>{`${deprecated.since}: ${deprecated.reason}`}</Text>
          </p>
        )}
        {detail.data !== undefined && <Changes changes={detail.data.changes} />}
        {problems.length > 0 && <Problems problems={problems} />}
      </div>
    </div>
  );
}

/** The callers that lately called a version, by name as far as a line has room. */
function Callers({ callers }: { readonly callers: readonly Caller[] }) {
  const [latest] = callers;
  if (latest === undefined) return <p className="limit">{words.nobodyCalls}</p>;
  const names = callers.slice(0, NAMED).map(({ actor }) => actor);
  return (
    <p>
      {words.calledBy} <Text>{names.join(", ")}</Text>
      {callers.length > NAMED && words.andMore(callers.length - NAMED)}, {words.lastAt} <Time at={latest.last} />
    </p>
  );
}

function Changes({ changes }: Pick<VersionDetail, "changes">) {
  if (changes.length === 0) return null;
  return (
    <ul>
      {changes.map((change) => (
        <li key={change}>
          <Text>{change}</Text>
        </li>
      ))}
    </ul>
  );
}

/** The reasons of a quarantine: where, what is wrong, and what would be right. */
function Problems({ problems }: Pick<GraphVersion, "problems">) {
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

function toStatus(status: unknown): keyof typeof words.tests {
  return status === "pass" || status === "fail" ? status : "unknown";
}
