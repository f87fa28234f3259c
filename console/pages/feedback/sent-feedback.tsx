import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { words } from "#words/feedback.ts";
import { feedbackList } from "../../service/feedback.ts";
import { Badge } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** The feedback that the reader may see: their own, or all of the tenant. */
export function SentFeedback({ version }: { readonly version: string }) {
  const { data, error, isError, hasNextPage, fetchNextPage } = useInfiniteQuery(feedbackList(version));
  const sent = (data?.pages ?? []).flatMap(({ feedback }) => feedback);
  if (isError) return <Failure error={error} />;
  if (sent.length === 0) return null;
  return (
    <section>
      <h2>{words.sent}</h2>
      <ul>
        {sent.map(({ id, message, status, commit, version: about, created_at: at, actor, answer }) => (
          <li key={id}>
            <Link href={`/console/feedback/${commit}/${id}`}>
              <Text>{message}</Text>
            </Link>{" "}
            <Badge state={answer?.result ?? status} />
            <p className="quiet">
              <Text>{actor}</Text> <Text>{about}</Text> <Time at={at} />
            </p>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()}>
          {words.more}
        </button>
      )}
    </section>
  );
}
