import type { ReactNode } from "react";
import { words } from "#words/calls.ts";
import type { Call } from "../../service/calls.ts";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** Outcome of a call that did not fail; others are names of errors. */
const OK = "ok";

/** One call: what it ran with, what came of it, and what its handler logged. `children` stand in its line of facts. */
export function CallView({ call, children }: { readonly call: Call; readonly children?: ReactNode }) {
  const { tool, tool_version: own, version, actor, client, started_at: at, duration_ms: ms, outcome, approval } = call;
  return (
    <div className="card">
      <h2>
        <Text>{`${tool} ${own}`}</Text> <Outcome outcome={outcome} />{" "}
        {call.parent !== undefined && <span className="badge">{words.inner}</span>}
      </h2>
      <p className="quiet">
        <Time at={at} />
        <span>{words.duration(ms)}</span>
        <Text>{actor}</Text>
        {client !== undefined && <Text>{words.client(client)}</Text>}
        <span>
          {words.version} <Text>{version}</Text>
        </span>
        {approval !== undefined && <Text>{words.approved(approval.by)}</Text>}
        {children}
      </p>
      {call.message !== undefined && <Text block>{call.message}</Text>}
      <Parameters parameters={call.parameters} />
      <Logs logs={call.logs} />
    </div>
  );
}

/** Says in words and by its colour whether a call failed, and of what. */
function Outcome({ outcome }: { readonly outcome: string }) {
  const isOk = outcome === OK;
  return (
    <span className="badge" data-kind={isOk ? "call-ok" : "call-failed"}>
      <Text>{isOk ? outcome : words.failed(outcome)}</Text>
    </span>
  );
}

/** Each experiment with the values that the call ran with. */
function Parameters({ parameters }: { readonly parameters: Call["parameters"] }) {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return null;
  return (
    <>
      <h3>{words.parameters}</h3>
      <dl className="facts">
        {entries.map(([experiment, values]) => (
          <div key={experiment} className="fact">
            <dt>
              <Text>{experiment}</Text>
            </dt>
            <dd>
              <code>
                <Text>{JSON.stringify(values)}</Text>
              </code>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Logs({ logs }: { readonly logs: Call["logs"] }) {
  if (logs.length === 0) return null;
  return (
    <>
      <h3>{words.logs}</h3>
      <ol>
        {logs.map(({ at, level, message }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- Lines may be alike, and none ever moves.
          <li key={index}>
            <Time at={at} /> <Text>{level}</Text> <Text>{message}</Text>
          </li>
        ))}
      </ol>
    </>
  );
}
