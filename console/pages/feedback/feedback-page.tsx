import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useSearchParams } from "wouter";
import { words } from "#words/feedback.ts";
import { createKey } from "../../service/create-key.ts";
import { hasScope, useSession } from "../../service/session.ts";
import { rightsIn } from "../../service/tools.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { VersionEnd } from "../../parts/version-end.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { useVersion, VersionField } from "../../parts/version-field.tsx";
import { SentFeedback } from "./sent-feedback.tsx";
import { useFeedback } from "./use-feedback.ts";

const SCOPE = "architect";
const RIGHT = "architect:chat";
/** Characters that the Architect takes. */
const MAX_LENGTH = 20_000;

/** A wish for a version: what is to change, in plain words. */
export default function FeedbackPage() {
  const version = useVersion();
  const { data, error, isError, isPending, refetch } = useQuery(rightsIn(version));
  const session = useSession().data;
  const [search] = useSearchParams();
  const [message, setMessage] = useState(search.get("message") ?? "");
  const hasAccess = session !== undefined && hasScope(session, SCOPE);
  return (
    <>
      <Heading>{words.title}</Heading>
      <p>{words.what}</p>
      <VersionField />
      <VersionEnd version={version} />
      {isPending && <Loading />}
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data !== undefined &&
        (hasAccess && data.capabilities.includes(RIGHT) ? (
          <FeedbackForm version={version} number={data.version} message={message} onChange={setMessage} />
        ) : (
          <p role="status">{words.notAllowed}</p>
        ))}
      {hasAccess && <SentFeedback version={version} />}
      <CommandBox
        commands={[
          `cairn feedback ${message.trim() === "" ? '"..."' : toArgument(message)} --agent ${toArgument(version)}`,
        ]}
      />
    </>
  );
}

interface FormProps {
  readonly version: string;
  /** The number that the version has. */
  readonly number: string;
  readonly message: string;
  readonly onChange: (message: string) => void;
}

function FeedbackForm({ version, number, message, onChange }: FormProps) {
  const id = useId();
  const [dryRun, setDryRun] = useState(false);
  const [key, setKey] = useState(createKey);
  const { mutate, isPending, isError, error } = useFeedback();
  const isEmpty = message.trim() === "";
  return (
    <form className="fields" onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={id}>{words.message}</label>
      <textarea
        id={id}
        value={message}
        maxLength={MAX_LENGTH}
        required
        onChange={({ target }) => {
          onChange(target.value);
          setKey(createKey());
        }}
      />
      <label className="choice">
        <input
          type="checkbox"
          checked={dryRun}
          onChange={() => {
            setDryRun(!dryRun);
            setKey(createKey());
          }}
        />
        {words.dryRun}
      </label>
      <div className="actions">
        <ConfirmButton
          primary
          label={dryRun ? words.tryOut : words.send}
          consequence={dryRun ? words.willTry(number) : words.willSend(number)}
          disabled={isEmpty || isPending}
          onConfirm={() => mutate({ version, message, dryRun, key })}
        />
      </div>
      {isError && <Failure error={error} />}
    </form>
  );
}
