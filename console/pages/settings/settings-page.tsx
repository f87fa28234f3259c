import { useQuery } from "@tanstack/react-query";
import { words } from "#words/settings.ts";
import { me } from "../../service/health.ts";
import { METRICS_SCOPE } from "../../service/service-state.ts";
import { hasScope, useSession } from "../../service/session.ts";
import { rightsIn } from "../../service/tools.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { useVersion, VersionField } from "../../parts/version-field.tsx";
import { HealthView } from "./health-view.tsx";
import { LimitTable } from "./limit-table.tsx";
import { Secrets } from "./secrets.tsx";
import { SyncState } from "./sync-state.tsx";
import { Tokens } from "./tokens.tsx";

/** Identity, rights, limits and tokens of the reader, their secrets by name, and the state of the service. */
export default function SettingsPage() {
  const session = useSession().data;
  const version = useVersion();
  return (
    <>
      <Heading>{words.title}</Heading>
      <Who />
      <Rights />
      <LimitTable version={version} />
      <Tokens />
      {session !== undefined && hasScope(session, "secrets") && <Secrets />}
      <HealthView />
      {session !== undefined && hasScope(session, METRICS_SCOPE) && <SyncState />}
      <CommandBox
        commands={["cairn token create --help", "cairn token list", 'curl "$CAIRN_URL/readyz"', "cairn doctor"]}
      />
    </>
  );
}

function Who() {
  const { data, error, isError, refetch } = useQuery(me);
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <section className="part">
      <h2>{words.who}</h2>
      <dl className="facts">
        <dt>{words.actor}</dt>
        <dd>
          <Text>{data.actor}</Text>
        </dd>
        <dt>{words.tenant}</dt>
        <dd>
          <Text>{data.tenant}</Text>
        </dd>
        <Names title={words.roles} names={data.roles} />
        <Names title={words.scopes} names={data.scopes} />
      </dl>
      {data.anonymous && <p>{words.anonymous}</p>}
    </section>
  );
}

function Rights() {
  const version = useVersion();
  const { data, error, isError, refetch } = useQuery(rightsIn(version));
  return (
    <section className="part">
      <h2>
        <Text>{words.rights(data?.version ?? version)}</Text>
      </h2>
      <VersionField />
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data !== undefined && (
        <dl className="facts">
          <Names title={words.servers} names={data.servers} />
          <Names title={words.tools} names={data.tools} />
          <Names title={words.capabilities} names={data.capabilities} />
        </dl>
      )}
    </section>
  );
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{names.length === 0 ? words.none : <Text>{names.join(", ")}</Text>}</dd>
    </>
  );
}
