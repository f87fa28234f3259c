import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { type Feedback, sendFeedback } from "../../service/feedback.ts";

/** Sends feedback, and then shows how it goes at its own address. */
export function useFeedback() {
  const client = useQueryClient();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: (feedback: Feedback) => sendFeedback(feedback),
    onSuccess({ id, commit }) {
      void client.invalidateQueries({ queryKey: ["feedback"] });
      go(`/console/feedback/${encodeURIComponent(commit)}/${encodeURIComponent(id)}`);
    },
  });
}
