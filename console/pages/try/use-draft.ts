import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { dropDraft, loadDraft, saveDraft } from "../../service/draft.ts";
import { type Session, SESSION, useSession } from "../../service/session.ts";
import { isObject } from "../../parts/schema.ts";

type Input = Readonly<Record<string, unknown>>;

/** Input of a form, which stays in the tab until its reader leaves the page or signs out: not when the session ends by itself. */
export function useDraft(form: string, toFirst: () => Input): readonly [Input, (input: Input) => void] {
  const client = useQueryClient();
  const session = useSession().data;
  const [input, setInput] = useState(() => {
    const kept = loadDraft(form);
    return isObject(kept) ? kept : toFirst();
  });
  useEffect(
    () => () => {
      if (client.getQueryData<Session>([SESSION])?.signed_in === true) dropDraft();
    },
    [client],
  );
  const change = (changed: Input) => {
    setInput(changed);
    if (session !== undefined) saveDraft(session, form, changed);
  };
  return [input, change];
}
