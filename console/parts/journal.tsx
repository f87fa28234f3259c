import { useEffect, useState } from "react";
import { words } from "#words/parts.ts";
import { loadEvents, type RunEvent } from "../service/work.ts";
import { Failure } from "./failure.tsx";
import { Text } from "./text.tsx";
import { Time } from "./time.tsx";

/** States in which a run says nothing more. */
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "lost", "released", "cancelled", "rejected"]);

/** The journal of a run, line by line as it is written. */
export function Journal({ version, run }: { readonly version: string; readonly run: string }) {
  const { events, error } = useEvents(version, run);
  return (
    <>
      <div role="log" aria-label={words.journal}>
        <ol className="journal">
          {events.map(({ seq, at, kind, actor, error: name, details }) => (
            <li key={seq}>
              <Time at={at} />{" "}
              <strong>
                <Text>{kind}</Text>
              </strong>{" "}
              <Text>{actor}</Text> {name !== undefined && <Text>{name}</Text>} <Text>{toLine(details)}</Text>
            </li>
          ))}
        </ol>
      </div>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

/** Follows the journal until the run ends or the page is left. */
function useEvents(version: string, run: string) {
  const [state, setState] = useState<{ readonly events: readonly RunEvent[]; readonly error?: unknown }>({
    events: [],
  });
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const follow = async () => {
      let [from, isLive] = [0, true];
      while (isLive) {
        const { events, next, status } = await loadEvents(version, run, from, signal);
        signal.throwIfAborted();
        if (events.length > 0) setState((before) => ({ events: [...before.events, ...events] }));
        isLive = events.length > 0 || !ENDED.has(status);
        from = next;
      }
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) setState((before) => ({ ...before, error }));
    });
    return () => leaving.abort();
  }, [version, run]);
  return state;
}

function toLine(details: RunEvent["details"]): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
