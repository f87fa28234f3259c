import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { words } from "#words/shell.ts";
import { isUnreachable } from "../service/request.ts";
import { askSession } from "../service/session.ts";

/** Milliseconds between two looks whether the service answers again. */
const LOOK = 1_500;

/** Says that the service does not answer, as while it restarts, and has all that is shown loaded anew once it does. */
export function Connection() {
  const client = useQueryClient();
  const [isAway, setAway] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "failed" && isUnreachable(event.action.error)) {
          setAway(true);
        }
      }),
    [client],
  );
  const back = () => {
    setAway(false);
    void client.invalidateQueries();
  };
  return <div role="status">{isAway && <Waiting onBack={back} />}</div>;
}

function Waiting({ onBack }: { readonly onBack: () => void }) {
  const { isSuccess } = useQuery({
    queryKey: ["connection"],
    queryFn: ({ signal }) => askSession(signal),
    refetchInterval: LOOK,
    retry: false,
    gcTime: 0,
  });
  useEffect(() => {
    if (isSuccess) onBack();
  }, [isSuccess, onBack]);
  return <p className="away">{words.away}</p>;
}
