import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ArchitectFeedback, FeedbackList } from "./answers.ts";
import { ask, send } from "./request.ts";

/** Milliseconds between two looks at feedback that is worked on. */
const LOOK = 1_000;

export interface Feedback {
  readonly version: string;
  readonly message: string;
  readonly dryRun: boolean;
  /** Makes a request that was sent again after a lost answer one feedback. */
  readonly key: string;
}

/** Sends feedback, and says where its progress is. */
export async function sendFeedback({ version, message, dryRun, key }: Feedback) {
  const { headers } = await send(`${toPath(version)}/chat`, {
    method: "POST",
    body: { message, dry_run: dryRun },
    headers: { prefer: "respond-async", "idempotency-key": key },
  });
  return { id: headers.get("cairn-feedback") ?? "", commit: headers.get("cairn-commit") ?? version };
}

/** The state of feedback, asked again until it has ended. */
export function feedbackStatus(version: string, id: string) {
  return queryOptions({
    queryKey: ["feedback", version, id],
    queryFn: ({ signal }) =>
      ask<ArchitectFeedback>(`${toPath(version)}/feedback/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.status === "ended" ? false : LOOK),
  });
}

/** Feedback about any version that the reader may see, the newest first, page after page. */
export function feedbackList(version: string) {
  return infiniteQueryOptions({
    queryKey: ["feedback", version],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams(pageParam === "" ? {} : { cursor: pageParam });
      return ask<FeedbackList>(`${toPath(version)}/feedback?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

function toPath(version: string): string {
  return `/agent/${encodeURIComponent(version)}/architect`;
}
