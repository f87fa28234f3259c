import { words } from "#words/try.ts";
import { Text } from "../../parts/text.tsx";
import type { Reports } from "./use-call.ts";

/** Reports of a tool: how far it is, and its lines of log. */
export function Progress({ reports, isPending }: { readonly reports: Reports; readonly isPending: boolean }) {
  const { progress, logs } = reports;
  return (
    <div role="status">
      {isPending && <p>{words.calling}</p>}
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
