import type { ReactNode } from "react";
import { words } from "#words/parts.ts";
import type { RunReport } from "../service/work.ts";
import { Badge } from "./badge.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { Text } from "./text.tsx";
import { Time } from "./time.tsx";

/** A run for a reviewer: planned, changed, tried, decided, and its evidence. `version` is the one whose work server is asked. */
export function RunBody({ report, version }: { readonly report: RunReport; readonly version: string }) {
  const { planned, changed, tried, decided, evidence, run_id: run, task_id: task } = report;
  return (
    <>
      <Part title={words.planned}>
        {planned === null ? <p>{words.noPlan}</p> : <Lines lines={planned.steps} />}
        {planned !== null && <Lines lines={planned.files} isCode />}
        {planned !== null && planned.impact.length > 0 && (
          <>
            <p>{words.impact}</p>
            <Lines lines={planned.impact} />
          </>
        )}
      </Part>
      <Part title={words.changed}>
        {changed === null ? (
          <p>{words.noChange}</p>
        ) : (
          <>
            <Lines lines={changed.files} isCode />
            <p className="quiet">{words.lines(changed.added, changed.removed)}</p>
          </>
        )}
      </Part>
      <Part title={words.tried}>
        <Tried tried={tried} />
      </Part>
      <Part title={words.decided}>
        <Decided decided={decided} />
      </Part>
      {evidence.length > 0 && (
        <Part title={words.evidence}>
          <EvidenceList version={version} task={task} run={run} pieces={evidence} />
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Lines({ lines, isCode = false }: { readonly lines: readonly string[]; readonly isCode?: boolean }) {
  if (lines.length === 0) return null;
  return (
    <ul>
      {[...new Set(lines)].map((line) => (
        <li key={line}>
          {isCode ? (
            <code>
              <Text>{line}</Text>
            </code>
          ) : (
            <Text block>{line}</Text>
          )}
        </li>
      ))}
    </ul>
  );
}

function Tried({ tried: { steps, checks, worker_id: worker, attempt } }: { readonly tried: RunReport["tried"] }) {
  return (
    <>
      <p className="quiet">
        <Text>{words.attempt(attempt, worker)}</Text>
      </p>
      <ul>
        {steps.map(({ name, status, message }) => (
          <li key={name}>
            <Text>{name}</Text> <Badge state={status} />
            {message !== null && <Text block>{message}</Text>}
          </li>
        ))}
      </ul>
      {checks.length > 0 && (
        <ul>
          {checks.map(({ by, name, passed, message }) => (
            <li key={`${by}:${name}`}>
              <Text>{`${by}: ${name}`}</Text> <Badge state={passed ? "passed" : "failed"} />
              {message !== undefined && <Text block>{message}</Text>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Decided({ decided: { risk_level: risk, approval } }: { readonly decided: RunReport["decided"] }) {
  return (
    <>
      <p>{risk === null ? words.noRisk : words.risk(risk)}</p>
      {approval === null ? (
        <p>{words.noApproval}</p>
      ) : (
        <>
          <p>
            <Text>{approval.by}</Text> <Badge state={approval.decision} /> <Time at={approval.at} />
          </p>
          <Text block>{approval.reason}</Text>
        </>
      )}
    </>
  );
}
