import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { words } from "#words/feedback.ts";
import { taskList } from "../../service/work.ts";
import { Badge } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** The workflow that tasks of feedback follow. */
const ARCHITECT = "architect";

/** Feedback of the reader's tenant, as far as the newest tasks have some. */
export function SentFeedback({ version }: { readonly version: string }) {
  const { data, error, isError } = useInfiniteQuery(taskList(version, undefined));
  const sent = (data?.pages ?? []).flatMap(({ tasks }) => tasks).filter(({ workflow }) => workflow === ARCHITECT);
  if (isError) return <Failure error={error} />;
  if (sent.length === 0) return null;
  return (
    <section>
      <h2>{words.sent}</h2>
      <ul>
        {sent.map(({ task_id: id, title, status, commit, timestamps, created_by: by }) => (
          <li key={id}>
            <Link href={`/console/feedback/${commit}/${id}`}>
              <Text>{title}</Text>
            </Link>{" "}
            <Badge state={status} />
            <p className="quiet">
              <Text>{by}</Text> <Time at={timestamps.created_at} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
