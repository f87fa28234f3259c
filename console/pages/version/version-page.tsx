import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { words as partWords } from "#words/parts.ts";
import { words } from "#words/version.ts";
import type { VersionDetail } from "../../service/answers.ts";
import { hasScope, useSession } from "../../service/session.ts";
import { toolList } from "../../service/tool-definitions.ts";
import { AUDIT_SCOPE } from "../../service/usage.ts";
import { toState, versionDetail } from "../../service/versions.ts";
import { toCompareAddress, toVersionAddress } from "../../parts/addresses.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { End } from "../../parts/end.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { useCommit } from "../../parts/use-commit.ts";
import { Callers } from "./callers.tsx";
import { Quarantine } from "./notices.tsx";
import { Server } from "./server.tsx";

/** One version: what it offers, how to reach it, why it is not served or ends, and who still calls it. */
export default function VersionPage() {
  const { version: name = "" } = useParams();
  const { commit, isMissing = false, error: unknown } = useCommit(name);
  const detail = useQuery({ ...versionDetail(commit ?? ""), enabled: commit !== undefined });
  return (
    <>
      <Heading>
        <Text>{words.versionOf(name)}</Text>
      </Heading>
      {isMissing && (
        <p role="alert">
          <Text>{partWords.noPullRequest(name)}</Text>
        </p>
      )}
      {unknown !== undefined && <Failure error={unknown} />}
      {detail.isPending && !isMissing && unknown === undefined && <Loading />}
      {detail.isError && <Failure error={detail.error} retry={() => void detail.refetch()} />}
      {detail.isSuccess && <Detail name={commit ?? name} detail={detail.data} />}
      <CommandBox commands={toCommands(commit ?? name, detail.data)} />
    </>
  );
}

function Detail({ name, detail }: { readonly name: string; readonly detail: VersionDetail }) {
  const session = useSession();
  const { deprecated, problems, alarms, servers = [] } = detail;
  const state = toState(detail);
  const tools = useQuery({ ...toolList(name), enabled: servers.length > 0 });
  const mayAudit = session.data !== undefined && hasScope(session.data, AUDIT_SCOPE);
  return (
    <>
      <p className="badges">
        <span className="badge" data-kind={state}>
          {words.states[state]}
        </span>
        {detail.tags
          .filter((tag) => tag !== state)
          .map((tag) => (
            <span key={tag} className="badge" data-kind="label">
              <Text>{tag}</Text>
            </span>
          ))}
      </p>
      {deprecated !== undefined && <End deprecated={deprecated} />}
      {problems.length > 0 && <Quarantine problems={problems} />}
      <Facts detail={detail} />
      {alarms.length > 0 && (
        <section className="notice" data-kind="bad">
          <h2>{words.alarms}</h2>
          <Text block>{JSON.stringify(alarms)}</Text>
        </section>
      )}
      {tools.isError && <Failure error={tools.error} retry={() => void tools.refetch()} />}
      {servers.map((server) => (
        <Server
          key={server.name}
          version={name}
          server={server}
          tools={tools.data?.tools.filter((tool) => tool.server === server.name)}
        />
      ))}
      {mayAudit && <Callers commit={detail.commit_hash} />}
    </>
  );
}

function Facts({ detail }: { readonly detail: VersionDetail }) {
  const { commit_hash: commit, created_at: created, parent, agent, host_api: hostApi, claim, fingerprint } = detail;
  const from = parent?.commit ?? parent?.version;
  return (
    <>
      <dl className="facts">
        <dt>{words.commit}</dt>
        <dd>
          <code>{commit}</code>
        </dd>
        <dt>{words.created}</dt>
        <dd>
          <Time at={created} />
        </dd>
        {parent !== null && (
          <>
            <dt>{words.parent}</dt>
            <dd>
              <Link href={toVersionAddress(parent.version ?? parent.named)}>
                <Text>{parent.version ?? parent.named}</Text>
              </Link>
              {from !== undefined && <Link href={toCompareAddress(from, commit)}>{words.compare}</Link>}
            </dd>
          </>
        )}
        <dt>{words.number}</dt>
        <dd>{words.claims[claim]}</dd>
        {agent !== undefined && (
          <>
            <dt>{words.agent}</dt>
            <dd>
              <Text>{agent}</Text>
            </dd>
          </>
        )}
        {hostApi !== undefined && (
          <>
            <dt>{words.hostApi}</dt>
            <dd>
              <Text>{hostApi}</Text>
            </dd>
          </>
        )}
        {fingerprint !== undefined && (
          <>
            <dt>{words.fingerprint}</dt>
            <dd>
              <code>{fingerprint}</code>
            </dd>
          </>
        )}
      </dl>
      {detail.changes.length > 0 && (
        <section>
          <h2>{words.changes}</h2>
          <ul>
            {detail.changes.map((change) => (
              <li key={change}>
                <Text>{change}</Text>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function toCommands(name: string, detail: VersionDetail | undefined): readonly string[] {
  const [server] = detail?.servers ?? [];
  const argument = toArgument(name);
  const isServed = detail !== undefined && toState(detail) === "served";
  return [
    ...(isServed && server !== undefined ? [`cairn connect ${argument} ${toArgument(server.name)}`] : []),
    ...(detail === undefined ? [] : [`cairn surface ${toArgument(detail.tag ?? detail.commit_hash)}`]),
    `cairn usage ${argument}`,
  ];
}
