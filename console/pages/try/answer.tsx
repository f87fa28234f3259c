import { Link } from "wouter";
import { words } from "#words/try.ts";
import { ServiceError } from "../../service/request.ts";
import type { CallResult } from "../../service/tool-calls.ts";
import { toConversationAddress } from "../../parts/addresses.ts";
import { Failure } from "../../parts/failure.tsx";
import { Json } from "../../parts/json.tsx";
import { Text } from "../../parts/text.tsx";
import { Reward } from "./reward.tsx";

type Ended = Exclude<CallResult, { readonly resultType: "input_required" }>;

interface Props {
  readonly version: string;
  readonly result: Ended;
  /** Says whether the reader may use the tuner of the version. */
  readonly mayReward: boolean;
  /** Has the next call belong to the conversation; absent: the tool takes none. */
  readonly onGoOn?: (id: string) => void;
}

/** Outcome of a call, and its conversation, which can be rewarded where it ran with tuned values. */
export function Answer({ version, result, mayReward, onGoOn }: Props) {
  const id = result._meta["cairn/conversation_id"];
  return (
    <section aria-live="polite">
      <h2>{words.called}</h2>
      <Outcome result={result} />
      {id !== undefined && (
        <p className="quiet">
          {words.conversation}
          <Link href={toConversationAddress(id)}>
            <Text>{id}</Text>
          </Link>
        </p>
      )}
      {id !== undefined && onGoOn !== undefined && (
        <button type="button" onClick={() => onGoOn(id)}>
          {words.anotherConversation}
        </button>
      )}
      {id !== undefined && mayReward && <Reward key={id} version={version} id={id} />}
    </section>
  );
}

function Outcome({ result }: { readonly result: Ended }) {
  const { isError = false, content, structuredContent, _meta: meta } = result;
  const error = meta["cairn/error"];
  if (isError && error !== undefined) {
    const { code, name, message } = error;
    const problem = { type: "about:blank", title: name, status: 0, detail: message, code, name };
    return (
      <>
        {meta["cairn/approval"] !== undefined && <p>{words.waits}</p>}
        <Failure error={new ServiceError(problem)} />
      </>
    );
  }
  const others = content.filter(({ type }) => type !== "text");
  return (
    <>
      {structuredContent === undefined ? (
        <Text block>{content.map(({ text = "" }) => text).join("\n")}</Text>
      ) : (
        <Json value={structuredContent} />
      )}
      {others.length > 0 && (
        <p className="limit">
          <Text>{others.map(({ type, mimeType = "" }) => `${type} ${mimeType}`.trim()).join(", ")}</Text>
        </p>
      )}
    </>
  );
}
