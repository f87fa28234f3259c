import type { Ref } from "react";
import { words } from "#words/try.ts";
import { Text } from "../../parts/text.tsx";
import type { Reports } from "./use-call.ts";

interface Props {
  readonly ref: Ref<HTMLDivElement>;
  readonly reports: Reports;
  readonly isPending: boolean;
  readonly isStopped: boolean;
}

/** Reports of a tool: how far it is, and its lines of log. */
export function Progress({ ref, reports, isPending, isStopped }: Props) {
  const { progress, logs } = reports;
  return (
    <div ref={ref} role="status" tabIndex={-1}>
      {isPending && <p>{words.calling}</p>}
      {isStopped && <p>{words.stopped}</p>}
      {progress !== undefined && (
        <p>
          <progress
            aria-label={words.progress}
            value={progress.progress}
            {...(progress.total === undefined ? {} : { max: progress.total })}
          />{" "}
          <Text>{`${progress.progress}${progress.total === undefined ? "" : ` / ${progress.total}`}`}</Text>{" "}
          {progress.message !== undefined && <Text>{progress.message}</Text>}
        </p>
      )}
      {logs.length > 0 && (
        <>
          <h2>{words.logs}</h2>
          <pre className="json">
            <code>
              <Text>{logs.join("\n")}</Text>
            </code>
          </pre>
        </>
      )}
    </div>
  );
}
